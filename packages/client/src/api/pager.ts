import { mayPass } from '../connection/http.ts';
import { backoff } from '../connection/waiting.ts';
import { ParleyError } from '../errors.ts';
import type { Host } from './host.ts';

/** How far a list has grown, and how its items are read. */
export type Pager = {
  limit(): number;
  error(): ParleyError | undefined;
  /**
   * Reads items if fewer are here than wanted. After a failure it tries again on a new connection or, if the error is transient, after a
   * while.
   */
  fill(): void;
  more(): Promise<void>;
};

type Source = {
  /** Whether `limit` items are here, or all that exist. */
  readonly has: (limit: number) => boolean;
  readonly read: (pageSize: number) => Promise<unknown>;
};

/** `isDue`: enough time has passed to try again on the same connection. */
type Failure = { readonly error: ParleyError; readonly connections: number; isDue: boolean };

async function makeDue({ ctx, publisher }: Host, failure: Failure, tries: number): Promise<void> {
  if (!ctx) return;
  const asked = (failure.error.retryAfter ?? 0) * 1000;
  await ctx.waiting.wait(Math.max(backoff(tries, ctx.retry), asked), ctx.ended);
  // Otherwise the items are read on the next connection.
  if (ctx.ended.aborted || ctx.sync.connection.status !== 'online') return;
  failure.isDue = true;
  publisher.publish();
}

const DEFAULT_PAGE = 50;

/** `wanted`: number of items to show and to read at a time. */
export function createPager(host: Host, wanted = DEFAULT_PAGE, source: Source): Pager {
  const pageSize = Math.min(100, Math.max(1, wanted));
  let limit = pageSize;
  let failure: Failure | undefined;
  let failures = 0;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      await source.read(pageSize);
      failure = undefined;
      failures = 0;
    } catch (cause) {
      const error =
        cause instanceof ParleyError ? cause : new ParleyError({ id: 'network_error' }, { cause });
      failure = { error, connections: host.connections, isDue: false };
      if (mayPass(error)) void makeDue(host, failure, ++failures);
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
      const isToWait = failure && !failure.isDue && failure.connections === host.connections;
      if (reading || isToWait || source.has(limit)) return;
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
