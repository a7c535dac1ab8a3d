import { sumOfPlatform, usedSeconds, type Measured } from '../../load/usage.ts';
import { until } from '../../../test/support/until.ts';
import type { Growing } from './requests.ts';

/** Seconds of all processors together that any request of the largest size may take: below it, noise is larger than what is measured. */
const FLOOR_SECONDS = 1;
/** The size of a small request, as a part of that of the largest one. */
const SMALL = 0.25;
/** How many times more than in proportion to its size a request may take, for caches, garbage and other programs. */
const SLACK = 2;
/** Processors that idle processes use at most: timers, and what is left of the requests before. */
const IDLE_SHARE = 0.25;
const LOOK_MS = 250;

/** Requests that are measured together, since nearly all of them take next to nothing. */
const TOGETHER = 8;

/** Finds growing requests with a wrong answer, or with a cost that grows faster than the request. */
export async function findExcesses(state: () => Measured, all: readonly Growing[]): Promise<string[]> {
  const excesses: string[] = [];
  const note = (growing: Growing, excess: string | undefined): void => {
    const { of, dimension } = growing;
    if (excess !== undefined) excesses.push(`${of}, ${dimension}: ${excess.slice(0, 300)}`);
  };
  for (let first = 0; first < all.length; first += TOGETHER) {
    const some = all.slice(first, first + TOGETHER);
    const before = usedBy(state);
    for (const growing of some) note(growing, await growing.send(1));
    if (usedBy(state) - before <= FLOOR_SECONDS) continue;
    for (const growing of some) note(growing, await findExcess(state, growing));
  }
  return excesses;
}

function usedBy(state: () => Measured): number {
  return sumOfPlatform(usedSeconds(state()));
}

async function findExcess(state: () => Measured, growing: Growing): Promise<string | undefined> {
  const used = () => usedBy(state);
  const before = used();
  await growing.send(1);
  if (used() - before <= FLOOR_SECONDS) return undefined;
  const cost = async (share: number): Promise<number> => {
    await untilIdle(used);
    const start = used();
    await growing.send(share);
    await untilIdle(used);
    return used() - start;
  };
  const [small, large] = [await cost(SMALL), await cost(1)];
  if (large <= FLOOR_SECONDS || large <= (small / SMALL) * SLACK) return undefined;
  return `takes ${large.toFixed(2)} s of processor time, and a quarter of it ${small.toFixed(2)} s`;
}

/** Work that goes on for longer, such as attempts of webhooks, is taken for a part of the noise. */
const IDLE_WITHIN_MS = 15_000;

async function untilIdle(used: () => number): Promise<void> {
  let [before, at] = [used(), Date.now()];
  const isIdle = (): true | undefined => {
    const elapsed = Date.now() - at;
    if (elapsed < LOOK_MS) return undefined;
    const now = used();
    const share = ((now - before) * 1_000) / elapsed;
    [before, at] = [now, Date.now()];
    return share < IDLE_SHARE || undefined;
  };
  await until('the processes are idle', isIdle, IDLE_WITHIN_MS).catch(() => undefined);
}
