import { laneOf } from '@parley/domain/lane';
import { ContendedError, createBatcher, type Answer } from '@parley/kit/batch';
import { createWheel } from '@parley/kit/wheel';
import { runApart } from '../apart.ts';
import { conversationContention, type Locking } from '../contention.ts';
import type { Context } from '../context.ts';
import { conversationKey } from '../keys.ts';
import { listDueMessages, type DueRow } from '../sql/scheduled-message.ts';
import { fireMessages } from './fire.ts';
import { startTyping } from './typists.ts';

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

type Work = { row: DueRow; what: 'send' | 'type' };

const keyOf = ({ row, what }: Work): string => `${row.id} ${what}`;

/**
 * Every replica has what is due soon in its memory, and tries to take the row when its time comes; the row is what counts.
 * What could not be done is found again by the next load.
 */
export function createSchedules(ctx: Context): Schedules {
  const underWay = new Set<string>();
  let stopping = false;

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
      await batcher.add(work);
    } catch (error) {
      if (error instanceof ContendedError && stopping) return;
      ctx.log.error({ error, messageId: work.row.id }, 'delayed message waits');
    } finally {
      underWay.delete(key);
    }
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
      for (const row of await listDueMessages(ctx.db, { until, limit: MOST_LOADED })) note(row);
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
