import { ParleyError } from '../errors.ts';
import type { Host } from './host.ts';

/** How far a list has grown, and what is read for it. */
export type Pager = {
  limit(): number;
  error(): ParleyError | undefined;
  /** Reads if fewer are here than are to be shown; again only after a failure and a new connection. */
  fill(): void;
  more(): Promise<void>;
};

type Source = {
  /** Whether so many are here, or all that there are. */
  readonly has: (limit: number) => boolean;
  readonly read: (pageSize: number) => Promise<unknown>;
};

export function createPager(host: Host, pageSize: number, source: Source): Pager {
  let limit = pageSize;
  let failure: { error: ParleyError; connections: number } | undefined;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      await source.read(pageSize);
      failure = undefined;
    } catch (cause) {
      const error =
        cause instanceof ParleyError ? cause : new ParleyError({ id: 'network_error' }, { cause });
      failure = { error, connections: host.connections };
      throw error;
    } finally {
      reading = undefined;
      host.publisher.publish();
    }
  }
  function start(): Promise<void> {
    reading ??= read();
    return reading;
  }
  return {
    limit: () => limit,
    error: () => failure?.error,
    fill() {
      if (reading || source.has(limit) || failure?.connections === host.connections) return;
      start().catch(() => undefined);
    },
    async more() {
      await host.ready;
      await reading?.catch(() => undefined);
      if (!source.has(limit + pageSize)) await start();
      limit += pageSize;
      host.publisher.publish();
    },
  };
}
