import { backoff } from '@parley/kit/flow/backoff';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { isOutage } from '@parley/kit/postgres';
import type { Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import {
  deletePublisher,
  listLostPublishers,
  listTails,
  type LostPublisher,
  type TailPlace,
} from '../sql/log/live-publisher.ts';
import { LONGEST_MS } from './publisher-liveness.ts';

/** Time after which a process that was not seen counts as lost. Its row stays for the same time again, since the process may still be committing. */
const LOST_AFTER_MS = 4_000;
const FORGOTTEN_AFTER_MS = 10_000;
/** How much of the log one statement reads at first, and how many conversations a page has. */
const SLICE_MS = 2_000;
const PAGE = 2_000;
const RETRIES = { firstMs: 1000, longestMs: 60_000 };

type Failure = { count: number; retryAt: number };
type Slice = { since: number; until: number };

/**
 * A process that was killed between a commit and the publication leaves gateways without the last events of some
 * conversations. The heads of all conversations that changed at that time are published, so gateways read the rest. Each process is
 * repaired by itself: one whose repair fails waits longer each time, is read in smaller slices, and delays no other.
 */
export function createTailRepairs(ctx: Context): Rounds {
  const { db, publisherLiveness, clock, log } = ctx;
  const failures = new Map<string, Failure>();

  async function tryToRepair(publisher: LostPublisher, told: Set<string>): Promise<void> {
    const { id } = publisher;
    const { count, retryAt } = failures.get(id) ?? { count: 0, retryAt: -Infinity };
    if (retryAt > clock.elapsed()) return;
    try {
      await repair(ctx, publisher, { told, sliceMs: SLICE_MS / 2 ** count });
      failures.delete(id);
    } catch (error) {
      if (isOutage(error)) throw error;
      const delayMs = backoff(count + 1, RETRIES);
      failures.set(id, { count: count + 1, retryAt: clock.elapsed() + delayMs });
      log.error(
        { error, publisher: id, delayMs },
        'failed to publish the heads of a lost process; will retry',
      );
    }
  }

  return {
    async run(signal) {
      const lost = await listLostPublishers(db, LOST_AFTER_MS);
      const ids = new Set(lost.map(({ id }) => id));
      for (const id of failures.keys()) if (!ids.has(id)) failures.delete(id);
      // Processes that are killed together share most slices.
      const told = new Set<string>();
      for (const publisher of lost) {
        if (signal?.aborted) return;
        if (publisher.id !== publisherLiveness.id) await tryToRepair(publisher, told);
      }
    },
  };
}

async function repair(
  ctx: Context,
  publisher: LostPublisher,
  { told, sliceMs }: { told: Set<string>; sliceMs: number },
): Promise<void> {
  for (const slice of slicesOf(publisher.published_until, Math.max(1, sliceMs))) {
    const key = `${slice.since} ${slice.until}`;
    if (!told.has(key)) await tellSlice(ctx, slice);
    told.add(key);
  }
  if (publisher.unseenMs > FORGOTTEN_AFTER_MS) await deletePublisher(ctx.db, publisher.id);
}

/** The time in which a lost process may have committed what it did not publish, in slices that end at multiples of their length. */
function* slicesOf(publishedUntil: number, sliceMs: number): Generator<Slice> {
  if (!Number.isFinite(publishedUntil)) return;
  const end = publishedUntil + LONGEST_MS;
  for (let since = publishedUntil; since < end;) {
    const until = Math.min(end, (Math.floor(since / sliceMs) + 1) * sliceMs);
    yield { since, until };
    since = until;
  }
}

async function tellSlice({ db, epochs, heads }: Context, slice: Slice): Promise<void> {
  let after: TailPlace | undefined = { appId: NIL_UUID, conversationId: NIL_UUID };
  while (after) {
    const rows = await listTails(db, { ...slice, after, limit: PAGE });
    for (const row of rows) {
      const { app_id: appId, conversation_id: conversationId, audience_shards: shards } = row;
      if (shards === null) continue;
      const epoch = epochs.current();
      for (const seq of [row.first_seq, row.seq]) heads.note({ appId, conversationId, seq, shards, epoch });
    }
    const last = rows.at(-1);
    after =
      last && rows.length === PAGE ? { appId: last.app_id, conversationId: last.conversation_id } : undefined;
  }
}
