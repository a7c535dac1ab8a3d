import { randomUUID } from 'node:crypto';
import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { FigureService, type MinuteFigures } from '@parley/proto/parley/identity/v1/figure_service_pb';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import { DistinctHashes, hashUser } from './distinct.ts';
import { appOf, openMinute, takeNews, type AddedFigure } from './minute.ts';

/** Counts in memory, and sends what was counted to the identity service in batches: nothing waits for that. */
export type Figures = {
  /** `appId` is empty where it is not known. */
  add(appId: string, figure: AddedFigure, count?: number): void;
  /** A scheduled message was stored so long after its time. */
  late(appId: string, ms: number): void;
  /** A user is active. However often and in however many processes, a user counts once. */
  active(appId: string, userId: string): void;
  /** Sends the rest, if that is possible at once. */
  stop(): Promise<void>;
};

type Options = { client: Client<typeof FigureService>; clock: Clock; log: Logger };
type Batch = { batch: number; minutes: MinuteFigures[] };

const MINUTE_MS = 60_000;
export const FLUSH_EVERY_MS = 5_000;
/** Minutes of applications that wait while identity is away; the oldest are dropped. */
const MAX_WAITING = 50_000;
/** A batch ends after so many minutes of applications, or hashes of users. */
const MAX_MINUTES = 1_000;
const MAX_HASHES = 50_000;
/** Longest time of the last call, at the end of a process. */
const LAST_CALL_MS = 1_000;

/** Records figures over a channel to identity, or to a service that passes them on; `stopper` stops that. */
export function openFigures(
  transport: Transport,
  { clock, log }: Pick<Options, 'clock' | 'log'>,
  stopper: Stopper,
): Figures {
  const figures = startFigures({ client: createClient(FigureService, transport), clock, log });
  stopper.add('figures', () => figures.stop());
  return figures;
}

/**
 * Starts the recording of one process. A batch whose outcome is unknown is repeated with its number until identity has answered, which
 * then counts it once; meanwhile the following one is gathered. A process that is killed loses what it counted since its last batch.
 */
export function startFigures(options: Options): Figures {
  const { clock } = options;
  const waiting = new Waiting(options);
  const sending = createSending(options, waiting);
  let cancelTimer = schedule();

  function schedule(): () => void {
    return clock.setTimer(FLUSH_EVERY_MS, () => {
      cancelTimer = schedule();
      void sending.flush();
    });
  }

  return {
    add(appId, figure, count = 1) {
      waiting.app(appId).counts[figure] += count;
    },
    late(appId, ms) {
      const { counts } = waiting.app(appId);
      counts.scheduledMessages += 1;
      counts.latenessMs += ms;
      counts.maxLatenessMs = Math.max(counts.maxLatenessMs, ms);
    },
    active(appId, userId) {
      const app = waiting.app(appId);
      (app.users ??= new DistinctHashes()).add(hashUser(appId, userId));
    },
    async stop() {
      cancelTimer();
      await sending.finish();
    },
  };
}

/** Counts that are in no batch yet. */
class Waiting {
  readonly #clock: Clock;
  readonly #log: Logger;
  #present = openMinute(0);
  #past: MinuteFigures[] = [];

  constructor({ clock, log }: Options) {
    this.#clock = clock;
    this.#log = log;
  }

  app(appId: string) {
    const now = this.#clock.now();
    const start = now - (now % MINUTE_MS);
    if (start !== this.#present.start) this.#turn(start);
    return appOf(this.#present, appId);
  }

  #turn(start: number): void {
    this.#past.push(...takeNews(this.#present));
    this.#present = openMinute(start);
    const dropped = this.#past.length - MAX_WAITING;
    if (dropped <= 0) return;
    this.#past.splice(0, dropped);
    this.#log.warn({ dropped }, 'dropped the oldest figures, since too many wait for the identity service');
  }

  /** Adds the counts of the present minute to those of past minutes that have not been sent. */
  gather(): void {
    this.#past.push(...takeNews(this.#present));
  }

  /** Takes what the next batch holds of what was gathered. */
  take(): MinuteFigures[] {
    let hashes = 0;
    const end = this.#past.findIndex(({ userHashes }, index) => {
      hashes += userHashes.length;
      return index >= MAX_MINUTES || hashes > MAX_HASHES;
    });
    return this.#past.splice(0, end === -1 ? this.#past.length : Math.max(1, end));
  }
}

function createSending({ client, log }: Options, waiting: Waiting) {
  const processId = randomUUID();
  let unsent: Batch | undefined;
  let last = 0;
  let hasFailed = false;
  let flushing: Promise<void> | undefined;

  function next(): Batch | undefined {
    const minutes = waiting.take();
    return minutes.length === 0 ? undefined : { batch: ++last, minutes };
  }

  async function send(timeoutMs: number | undefined): Promise<void> {
    if (unsent) await client.recordFigures({ processId, ...unsent }, timeoutMs ? { timeoutMs } : {});
    unsent = undefined;
  }

  async function sendAll(timeoutMs?: number): Promise<void> {
    try {
      await send(timeoutMs);
      waiting.gather();
      while ((unsent = next())) await send(timeoutMs);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.warn({ error }, 'failed to record figures; will retry');
      hasFailed = true;
    }
  }

  function flush(timeoutMs?: number): Promise<void> {
    return (flushing ??= sendAll(timeoutMs).finally(() => (flushing = undefined)));
  }

  return {
    flush: () => flush(),
    async finish() {
      await flushing;
      await flush(LAST_CALL_MS);
      const lost = unsent?.minutes.length ?? 0;
      if (lost > 0) log.warn({ lost }, 'stopped before the last figures were recorded');
    },
  };
}
