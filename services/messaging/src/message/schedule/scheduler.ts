import { Code, ConnectError } from '@connectrpc/connect';
import { laneOf } from '@parley/domain/lane';
import { createBatcher, type Answer } from '@parley/kit/batch';
import { createConcurrency } from '@parley/kit/concurrency';
import { isOutage } from '@parley/kit/postgres';
import { createWheel } from '@parley/kit/wheel';
import { runApart } from '../../transaction/isolate-failures.ts';
import { conversationContention, type Locking } from '../../transaction/contention.ts';
import type { Context } from '../../context.ts';
import { conversationKey } from '../../sql/keys.ts';
import { listDueMessages, listDueMessagesByApp, type DueRow } from '../../sql/message/scheduled-message.ts';
import { fireMessages } from './send-due.ts';
import { startTyping } from './typing.ts';

/** What this process knows of the messages that wait for their time. */
export type Schedules = {
  note(row: DueRow): void;
  /** Learns what was scheduled elsewhere, or before a restart, and is due soon. */
  load(): Promise<void>;
  stop(): Promise<void>;
};

/** Longer than the time between two loads, so that nothing is learned of too late. */
const AHEAD_MS = 1500;
const MOST_LOADED = 10_000;
/** Of each application, when more is due than one load takes. */
const MOST_OF_APP = 256;

const MOST_AT_ONCE = 512;
/** What other applications may have to wait behind. */
const MOST_AT_ONCE_OF_APP = 128;
const MOST_WAITING = 100_000;
const LONGEST_WAIT_MS = 3_600_000;

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 600_000;

type Work = { row: DueRow; what: 'send' | 'type' };

const keyOf = ({ row, what }: Work): string => `${row.id} ${what}`;

/**
 * Every replica has what is due soon in its memory, and tries to take the row when its time comes; the row is what counts.
 * What is due at once goes round-robin by application. What could not be done is tried again later, twice as much later
 * each time.
 */
export function createSchedules(ctx: Context): Schedules {
  const underWay = new Set<string>();
  const failures = new Map<string, number>();
  let stopping = false;
  const admission = createConcurrency({
    levels: [
      { running: MOST_AT_ONCE, waiting: MOST_WAITING, guaranteed: MOST_AT_ONCE_OF_APP },
      { running: MOST_AT_ONCE_OF_APP, waiting: MOST_WAITING },
    ],
    waitMs: LONGEST_WAIT_MS,
    refusal: () => new ConnectError('too many delayed messages are due', Code.ResourceExhausted),
  });

  const conversationOf = ({ row }: Work) => ({ app_id: row.app_id, id: row.conversation_id });
  const runWith = (locking: Locking) => (works: Work[]) =>
    runApart(
      works,
      (some) => runTogether(ctx, some, locking),
      (work) => conversationKey(conversationOf(work)),
    );
  const batcher = createBatcher<Work, void>({
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

  async function run(work: Work): Promise<void> {
    const key = keyOf(work);
    if (underWay.has(key)) return;
    underWay.add(key);
    try {
      await admission.run(['all', work.row.app_id], async () => {
        if (!stopping) await batcher.add(work);
      });
      failures.delete(key);
      underWay.delete(key);
    } catch (error) {
      underWay.delete(key);
      if (!stopping) postpone(work, error);
    }
  }

  function postpone(work: Work, error: unknown): void {
    const key = keyOf(work);
    const delayMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures.get(key) ?? 0), LONGEST_BACKOFF_MS);
    ctx.log.error({ error, messageId: work.row.id, delayMs }, 'delayed message waits');
    if (!isOutage(error)) failures.set(key, (failures.get(key) ?? 0) + 1);
    wheel.add(key, ctx.clock.now() + delayMs, work);
  }

  const wheel = createWheel<Work>({
    clock: ctx.clock,
    run: (works) => works.forEach((work) => void run(work)),
  });

  ctx.metrics.gauge({
    name: 'scheduled_messages_known',
    help: 'Delayed messages, and beginnings of typing, that this process has in its memory',
    collect() {
      this.set(wheel.size);
    },
  });

  function add(at: number, work: Work): void {
    const key = keyOf(work);
    if (!underWay.has(key)) wheel.add(key, at, work);
  }

  function note(row: DueRow): void {
    if (row.typing_at !== null) add(row.typing_at, { row, what: 'type' });
    add(row.due_at, { row, what: 'send' });
  }

  return {
    note,
    async load() {
      const until = ctx.clock.now() + AHEAD_MS;
      const rows = await listDueMessages(ctx.db, { until, limit: MOST_LOADED });
      for (const row of rows) note(row);
      if (rows.length < MOST_LOADED) return;
      const others = await listDueMessagesByApp(ctx.db, { until, limitOfApp: MOST_OF_APP });
      for (const row of others) note(row);
    },
    async stop() {
      wheel.stop();
      stopping = true;
      await batcher.stop();
    },
  };
}

// The typing of a message that is sent in the same batch would begin after its end.
async function runTogether(ctx: Context, works: Work[], locking: Locking): Promise<Answer<void>[]> {
  const sent = works.filter(({ what }) => what === 'send');
  const rows = sent.map(({ row }) => row);
  const answers = rows.length > 0 ? await fireMessages(ctx, rows, locking) : [];
  const typed = works.filter(({ what }) => what === 'type').map(({ row }) => row);
  if (typed.length > 0) await startTyping(ctx, typed);
  const byWork = new Map(sent.map((work, index) => [work, answers[index] as Answer<void>]));
  return works.map((work): Answer<void> => byWork.get(work));
}
