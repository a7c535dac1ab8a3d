import { create } from '@parley/codec';
import { Code, ConnectError, type Client } from '@connectrpc/connect';
import { isAnotherEpoch, splitEpochs } from '@parley/domain/events/cell-epochs';
import { guardListener } from '@parley/kit/runtime/guard-listener';
import type { Clock } from '@parley/kit/runtime/clock';
import { detach } from '@parley/kit/runtime/request-context';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import {
  ToldChangeSchema,
  type ChangeLogService,
} from '@parley/proto/parley/changelog/v1/change_log_service_pb';

/**
 * Epochs of the databases whose change numbers this gateway keeps. When one changes, everything received before may be of changes that the
 * database has lost. docs/decisions/live-delivery.md#epochs
 */
export type Epochs = {
  /** Whether a message belongs to the present epoch. A message that names none, as in the last release, does. */
  isCurrent(epoch: string): boolean;
  /** Called for a message of another epoch: the services are asked at once. */
  suspect(): void;
  /** Records a numbered event of the present epoch. The database is later asked whether it still has the latest events. */
  told(event: Event): void;
  onChange(listener: () => void): () => void;
  stop(): void;
};

type Options = {
  /** The log of conversations. */
  conversationLog: Client<typeof ChangeLogService>;
  /** All change logs, including that of conversations. */
  changeLogs: readonly Client<typeof ChangeLogService>[];
  clock: Pick<Clock, 'elapsed' | 'setTimer'>;
  log: Logger;
};

/**
 * The log of one service. `epoch`: of all its cells; `current`: of each cell. `left`: ended epochs and when they ended; a replica that has
 * not noticed yet may still name one.
 */
type Followed = {
  client: Client<typeof ChangeLogService>;
  epoch: string;
  current: ReadonlySet<string>;
  left: Map<string, number>;
  told: Event[] | undefined;
  isFailing: boolean;
};

const ASK_EVERY_MS = 2_000;
const ASK_TIMEOUT_MS = 3_000;
/**
 * For this long an ended epoch is attributed to a replica that has not noticed its end; after that the database is considered to be in it
 * again. Milliseconds.
 */
const LEFT_MS = 30_000;
const MAX_TOLD = 8;

export function createEpochs({ conversationLog, changeLogs, clock, log }: Options): Epochs {
  const listeners = new Set<() => void>();
  const runDetached = detach();
  const followed = changeLogs.map((client): Followed => {
    const told = client === conversationLog ? [] : undefined;
    return { client, told, epoch: '', current: new Set(), left: new Map(), isFailing: false };
  });
  const ofConversations = followed.find(({ told }) => told);
  let next = 0;
  let stopped = false;
  let isAsking = false;
  let isSuspected = false;
  let cancelTimer: (() => void) | undefined;

  function failed(error: unknown): void {
    log.error({ error }, 'failed to begin anew in another epoch');
  }

  async function askAll(): Promise<void> {
    cancelTimer?.();
    isAsking = true;
    isSuspected = false;
    const changes = await Promise.all(followed.map((one) => ask(one, { clock, log })));
    isAsking = false;
    if (stopped) return;
    if (changes.includes(true)) for (const listener of listeners) guardListener(listener, failed);
    cancelTimer = clock.setTimer(isSuspected ? 0 : ASK_EVERY_MS, () => void askAll());
  }
  void runDetached(askAll);

  return {
    isCurrent: (epoch) => epoch === '' || followed.some((one) => one.current.has(epoch)),
    suspect() {
      if (isSuspected || stopped) return;
      isSuspected = true;
      if (!isAsking) void runDetached(askAll);
    },
    told(event) {
      if (!ofConversations?.told) return;
      ofConversations.told[next] = event;
      next = (next + 1) % MAX_TOLD;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop() {
      stopped = true;
      cancelTimer?.();
    },
  };
}

/** Whether the database's epoch has changed. */
async function ask(one: Followed, { clock, log }: Pick<Options, 'clock' | 'log'>): Promise<boolean> {
  try {
    const told = (one.told ?? []).filter(Boolean).map(({ appId, conversationId, seq, createdAt }) =>
      create(ToldChangeSchema, { appId, conversationId, seq, createdAt }),
    ); // prettier-ignore
    const answer = await one.client.getEpoch({ epoch: one.epoch, told }, { timeoutMs: ASK_TIMEOUT_MS });
    one.isFailing = false;
    return learn(one, answer.epoch, { clock, log });
  } catch (error) {
    // A replica of the last release names no epoch.
    const isOld = ConnectError.from(error).code === Code.Unimplemented;
    if (!one.isFailing && !isOld)
      log.warn({ error }, 'failed to ask for the epoch of a database; will retry');
    one.isFailing ||= !isOld;
    return false;
  }
}

function learn(one: Followed, epoch: string, { clock, log }: Pick<Options, 'clock' | 'log'>): boolean {
  if (epoch === '' || epoch === one.epoch) return false;
  const before = one.epoch;
  if (before === '' || !isAnotherEpoch(before, epoch)) {
    // A replica of the previous release names fewer cells.
    if (epoch.length > before.length) adopt(one, epoch);
    return false;
  }
  const now = clock.elapsed();
  if (now - (one.left.get(epoch) ?? -Infinity) < LEFT_MS) return false;
  adopt(one, epoch);
  for (const [left, at] of one.left) if (now - at >= LEFT_MS) one.left.delete(left);
  one.left.set(before, now);
  if (one.told) one.told.length = 0;
  log.warn({ before, epoch }, 'a database has lost what it had told; sockets begin anew');
  return true;
}

function adopt(one: Followed, epoch: string): void {
  one.epoch = epoch;
  one.current = new Set(splitEpochs(epoch));
}
