import { setTimeout as delay } from 'node:timers/promises';
import type { Gauge } from 'prom-client';
import { detach } from '../request-context.ts';

/** A value that is read whenever the metrics are read. */
export type Reading = {
  name: string;
  help: string;
  labels?: Readonly<Record<string, string>>;
  /** Reads the value; when this fails or takes longer than half a second, the last value stays. */
  read: () => number | Promise<number>;
};

/** How long a scrape of the metrics waits for a value. */
const LONGEST_MS = 500;

type Read = Reading['read'];
type Set = (value: number) => void;

/** The readings of one metric, by their labels. Each set of labels keeps its first reading. */
export class Readings {
  readonly #all = new Map<string, { labels: Readonly<Record<string, string>>; read: Read }>();

  add({ labels = {}, read }: Reading): void {
    const key = JSON.stringify(labels);
    if (!this.#all.has(key)) this.#all.set(key, { labels, read: once(read) });
  }

  async collect(gauge: Gauge): Promise<void> {
    await Promise.all(
      [...this.#all.values()].map(({ labels, read }) => take(read, (value) => gauge.set(labels, value))),
    );
  }
}

// A scrape must neither fail nor wait when the other metrics matter most: while a database or NATS does not answer.
async function take(read: Read, set: Set): Promise<void> {
  const taken = Promise.resolve()
    .then(read)
    .then(set)
    .catch(() => undefined);
  await Promise.race([taken, delay(LONGEST_MS, undefined, { ref: false })]);
}

/** A reading that is under way serves later scrapes too. */
function once(read: Read): Read {
  const runDetached = detach();
  let reading: Promise<number> | undefined;
  return () => (reading ??= runDetached(async () => read()).finally(() => (reading = undefined)));
}
