import { indexedDbStorage } from '../../../src/store/indexeddb.ts';
import { storageConformance } from '../../../src/store/conformance.ts';
import { StaleEpochError, type Store } from '../../../src/store/store.ts';
import type { Coordinator } from '../../../src/tabs/coordinator.ts';
import { tabs } from '../../../src/tabs/tabs.ts';

/** Events that a tab has seen of the coordinator. */
type Tab = {
  store: Store;
  coordinator: Coordinator;
  epoch: number | undefined;
  epochs: number[];
  received: unknown[];
};

let tab: Tab;

/** The names of the checks that fail, with the reason. */
export async function failedChecks(): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of storageConformance()) {
    await run(indexedDbStorage()).catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
  }
  return failed;
}

export async function join(name: string): Promise<void> {
  const store = await indexedDbStorage().open(name);
  const coordinator = tabs({ heartbeatMs: 100, silenceMs: 600 })({ name, store });
  tab = { store, coordinator, epoch: undefined, epochs: [], received: [] };
  coordinator.start({
    lead(epoch) {
      tab.epoch = epoch;
      tab.epochs.push(epoch);
    },
    follow() {
      tab.epoch = undefined;
    },
    refresh: () => undefined,
    receive: (message) => tab.received.push(message),
    run: ({ name: command, data }) => Promise.resolve({ command, data, epoch: tab.epoch }),
  });
}

export function state(): { epoch: number | undefined; epochs: number[]; received: unknown[] } {
  const { epoch, epochs, received } = tab;
  return { epoch, epochs, received };
}

export function post(message: unknown): void {
  tab.coordinator.post(message);
}

export function ask(data: unknown): Promise<unknown> {
  return tab.coordinator.ask({ name: 'echo', data });
}

/** Writes as the leader of an epoch; `stale` if there is a later one. */
export async function write(key: string, epoch: number): Promise<'written' | 'stale'> {
  try {
    const row = { key, group: '', order: 0, value: epoch };
    await tab.store.write([{ kind: 'put', table: 'values', row }], { epoch });
    return 'written';
  } catch (error) {
    if (error instanceof StaleEpochError) return 'stale';
    throw error;
  }
}

/** Lists the rows that were written, the last key first. */
export async function keys(): Promise<string[]> {
  return (await tab.store.list('values', { group: '' })).map(({ key }) => key);
}

/** Begins a write and reads, and comes to a standstill for ever in the middle of them. */
export async function standStill(epoch: number): Promise<void> {
  void write('begun', epoch);
  void tab.store.get('values', ['begun']);
  void tab.store.list('values', { group: '' });
  // Their transactions begin meanwhile, and no answer of the store is heard before the page stands still.
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
  block(Infinity);
}

/** Keeps the page from doing anything, as a browser that freezes it without a warning. */
export function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
