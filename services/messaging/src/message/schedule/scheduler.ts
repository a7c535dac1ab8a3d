import { backoff } from '@parley/kit/flow/backoff';
import { Code, ConnectError } from '@connectrpc/connect';
import { createConcurrency, type Concurrency } from '@parley/kit/flow/limits/concurrency';
import { isOutage } from '@parley/kit/postgres';
import { createWheel } from '@parley/kit/durable/work/wheel';
import type { Context } from '../../context.ts';
import { listDueMessages, listDueMessagesByApp, type DueRow } from '../../sql/message/scheduled-message.ts';
import { createDueBatcher, type DueWork } from './due-batcher.ts';

/** The scheduled messages that this process holds in memory because they are due soon. */
export type Scheduler = {
  add(row: DueRow): void;
  /** Reads messages that another replica scheduled, or that were scheduled before a restart, and that are due soon. */
  load(): Promise<void>;
  stop(): Promise<void>;
};

/** A time longer than the time between two loads, so that no message is loaded too late. */
const LOOKAHEAD_MS = 1500;
const MAX_LOADED = 10_000;
/** Messages loaded of each application when more are due than one load takes. */
const MAX_LOADED_OF_APP = 256;

const MAX_RUNNING = 512;
/** Messages of one application that run before other applications get their turn. */
const MAX_RUNNING_OF_APP = 128;
const MAX_WAITING = 100_000;
const MAX_WAIT_MS = 3_600_000;

const FAILURES = {
  send: 'failed to send scheduled message; will retry',
  type: 'failed to show that the sender of a scheduled message types; will retry',
} as const;

const RETRIES = { firstMs: 250, longestMs: 600_000 };

/**
 * Every replica holds the messages that are due soon, and tries to take the row when the time comes: only the replica that
 * gets the row sends the message. Work that is due at the same time runs round-robin by application. Failed work is
 * retried with exponential backoff.
 */
export function createScheduler(ctx: Context): Scheduler {
  const inProgress = new Set<string>();
  const failures = new Map<string, number>();
  let stopping = false;
  const admission = createAdmission();
  const batcher = createDueBatcher(ctx, () => stopping);
  const wheel = createWheel<DueWork>({
    clock: ctx.clock,
    run: (works) => works.forEach((work) => void run(work)),
  });
  ctx.metrics.reading({
    name: 'scheduled_messages_known',
    help: 'Scheduled messages and starts of typing that this process holds in memory',
    read: () => wheel.size,
  });

  async function run(work: DueWork): Promise<void> {
    const key = keyOf(work);
    if (inProgress.has(key)) return;
    inProgress.add(key);
    try {
      await admission.run(['all', work.row.app_id], async () => {
        if (!stopping) await batcher.add(work);
      });
      failures.delete(key);
      inProgress.delete(key);
    } catch (error) {
      inProgress.delete(key);
      if (!stopping) postpone(work, error);
    }
  }

  function postpone(work: DueWork, error: unknown): void {
    const key = keyOf(work);
    const delayMs = backoff((failures.get(key) ?? 0) + 1, RETRIES);
    const { app_id: appId, conversation_id: conversationId, id: messageId } = work.row;
    const fields = { error, appId, conversationId, messageId, delayMs };
    ctx.log.error(fields, FAILURES[work.action]);
    if (!isOutage(error)) failures.set(key, (failures.get(key) ?? 0) + 1);
    wheel.add(key, ctx.clock.now() + delayMs, work);
  }

  function schedule(at: number, work: DueWork): void {
    const key = keyOf(work);
    if (!inProgress.has(key)) wheel.add(key, at, work);
  }

  function add(row: DueRow): void {
    if (row.typing_at !== null) schedule(row.typing_at, { row, action: 'type' });
    schedule(row.due_at, { row, action: 'send' });
  }

  return {
    add,
    load: () => loadDue(ctx, add),
    async stop() {
      wheel.stop();
      stopping = true;
      await batcher.stop();
    },
  };
}

function createAdmission(): Concurrency {
  return createConcurrency({
    levels: [
      { running: MAX_RUNNING, waiting: MAX_WAITING, guaranteed: MAX_RUNNING_OF_APP },
      { running: MAX_RUNNING_OF_APP, waiting: MAX_WAITING },
    ],
    waitMs: MAX_WAIT_MS,
    refusal: () => new ConnectError('too many scheduled messages are due', Code.ResourceExhausted),
  });
}

async function loadDue({ db, clock }: Context, add: (row: DueRow) => void): Promise<void> {
  const until = clock.now() + LOOKAHEAD_MS;
  const rows = await listDueMessages(db, { until, limit: MAX_LOADED });
  rows.forEach(add);
  if (rows.length < MAX_LOADED) return;
  const rowsByApp = await listDueMessagesByApp(db, { until, limitOfApp: MAX_LOADED_OF_APP });
  rowsByApp.forEach(add);
}

function keyOf({ row, action }: DueWork): string {
  return `${row.id} ${action}`;
}
