import { Code, ConnectError } from '@connectrpc/connect';
import { laneOf } from '@parley/domain/lane';
import { createBatcher, type Answer } from '@parley/kit/batch';
import { createConcurrency } from '@parley/kit/limits/concurrency';
import { isOutage } from '@parley/kit/postgres';
import { createWheel } from '@parley/kit/work/wheel';
import { isolateFailures } from '../../transaction/isolate-failures.ts';
import { conversationContention, type LockMode } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { conversationKey } from '../../sql/keys.ts';
import { listDueMessages, listDueMessagesByApp, type DueRow } from '../../sql/message/scheduled-message.ts';
import { sendDueMessages } from './send-due.ts';
import { startTyping } from './typing.ts';

/** What this process knows of the messages that wait for their time. */
export type Scheduler = {
  note(row: DueRow): void;
  /** Learns what was scheduled elsewhere, or before a restart, and is due soon. */
  load(): Promise<void>;
  stop(): Promise<void>;
};

/** Longer than the time between two loads, so that nothing is learned of too late. */
const LOOKAHEAD_MS = 1500;
const MAX_LOADED = 10_000;
/** Of each application, when more is due than one load takes. */
const MAX_LOADED_OF_APP = 256;

const MAX_RUNNING = 512;
/** What other applications may have to wait behind. */
const MAX_RUNNING_OF_APP = 128;
const MAX_WAITING = 100_000;
const MAX_WAIT_MS = 3_600_000;

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 600_000;

type DueWork = { row: DueRow; action: 'send' | 'type' };

function keyOf({ row, action }: DueWork): string {
  return `${row.id} ${action}`;
}

/**
 * Every replica has what is due soon in its memory, and tries to take the row when its time comes; the row is what counts.
 * What is due at once goes round-robin by application. What could not be done is tried again later, twice as much later
 * each time.
 */
export function createScheduler(ctx: Context): Scheduler {
  const inProgress = new Set<string>();
  const failures = new Map<string, number>();
  let stopping = false;
  const admission = createConcurrency({
    levels: [
      { running: MAX_RUNNING, waiting: MAX_WAITING, guaranteed: MAX_RUNNING_OF_APP },
      { running: MAX_RUNNING_OF_APP, waiting: MAX_WAITING },
    ],
    waitMs: MAX_WAIT_MS,
    refusal: () => new ConnectError('too many scheduled messages are due', Code.ResourceExhausted),
  });

  const conversationOf = ({ row }: DueWork) => ({ app_id: row.app_id, id: row.conversation_id });
  const runWith = (locking: LockMode) => (works: DueWork[]) =>
    isolateFailures(
      works,
      (some) => runTogether(ctx, some, locking),
      (work) => conversationKey(conversationOf(work)),
    );
  const batcher = createBatcher<DueWork, void>({
    run: runWith('free'),
    contention: conversationContention(ctx, {
      conversationOf,
      // As long as the process runs: given up and found again, a message would come behind later ones.
      giveUpAt: () => (stopping ? 0 : Infinity),
      wait: runWith('wait'),
    }),
    maxItems: 256,
    lanes: 2,
    laneOf: ({ row }) => laneOf(row.conversation_id),
    maxQueued: 100_000,
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
    const delayMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures.get(key) ?? 0), MAX_BACKOFF_MS);
    ctx.log.error({ error, messageId: work.row.id, delayMs }, 'failed to send scheduled message; will retry');
    if (!isOutage(error)) failures.set(key, (failures.get(key) ?? 0) + 1);
    wheel.add(key, ctx.clock.now() + delayMs, work);
  }

  const wheel = createWheel<DueWork>({
    clock: ctx.clock,
    run: (works) => works.forEach((work) => void run(work)),
  });

  ctx.metrics.gauge({
    name: 'scheduled_messages_known',
    help: 'Scheduled messages, and beginnings of typing, that this process has in its memory',
    collect() {
      this.set(wheel.size);
    },
  });

  function add(at: number, work: DueWork): void {
    const key = keyOf(work);
    if (!inProgress.has(key)) wheel.add(key, at, work);
  }

  function note(row: DueRow): void {
    if (row.typing_at !== null) add(row.typing_at, { row, action: 'type' });
    add(row.due_at, { row, action: 'send' });
  }

  return {
    note,
    async load() {
      const until = ctx.clock.now() + LOOKAHEAD_MS;
      const rows = await listDueMessages(ctx.db, { until, limit: MAX_LOADED });
      for (const row of rows) note(row);
      if (rows.length < MAX_LOADED) return;
      const byApp = await listDueMessagesByApp(ctx.db, { until, limitOfApp: MAX_LOADED_OF_APP });
      for (const row of byApp) note(row);
    },
    async stop() {
      wheel.stop();
      stopping = true;
      await batcher.stop();
    },
  };
}

// The typing of a message that is sent in the same batch would begin after its end.
async function runTogether(ctx: Context, works: DueWork[], locking: LockMode): Promise<Answer<void>[]> {
  const sent = works.filter(({ action }) => action === 'send');
  const rows = sent.map(({ row }) => row);
  const answers = rows.length > 0 ? await sendDueMessages(ctx, rows, locking) : [];
  const typed = works.filter(({ action }) => action === 'type').map(({ row }) => row);
  if (typed.length > 0) await startTyping(ctx, typed);
  const byWork = new Map(sent.map((work, index) => [work, answers[index] as Answer<void>]));
  return works.map((work): Answer<void> => byWork.get(work));
}
