import { holdOffErasures } from '@parley/kit/postgres/erasure-barrier';
import type { Tx } from '@parley/kit/postgres';
import { createRounds, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import { listErasedUserIds } from '../sql/erasure.ts';
import { fanOutQueue, insertReceived, type FanOutItem } from '../sql/fan-out.ts';

/** Delivers announcements to their recipients, one slice of recipients in a transaction. */
export function createFanOut(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    queue: fanOutQueue,
    db,
    log,
    clock,
    step: (slice) => fanOutQueue.work(db, slice, (tx) => fanOut(ctx, tx, slice)),
  });
}

async function fanOut(ctx: Context, tx: Tx, slice: FanOutItem): Promise<true> {
  const { app_id: appId, announcement_id: announcementId } = slice;
  await holdOffErasures(tx, [appId]);
  const places = await insertReceived(tx, {
    appId,
    announcementId,
    userIds: await listRecipientsNotErased(tx, slice),
    returnedUserIds: slice.returned_user_ids,
    returnedIncarnations: slice.returned_incarnations,
    now: ctx.clock.now(),
  });
  if (places.length === 0) return true;
  const positions = new Map(places.map((place) => [place.user_id, place.position]));
  await ctx.emit(tx, {
    appId,
    userIds: [...positions.keys()],
    body: (userIds) => ({
      case: 'announcementReceived',
      value: {
        announcementId,
        recipients: userIds.map((userId) => ({ userId, position: positions.get(userId) ?? 0 })),
      },
    }),
  });
  return true;
}

/** Recipients of the slice except those erased since: the announcement was made to their earlier incarnation. */
async function listRecipientsNotErased(
  tx: Tx,
  { app_id, user_ids, returned_user_ids, returned_incarnations }: FanOutItem,
): Promise<string[]> {
  const incarnations = new Map(
    returned_user_ids.map((userId, index) => [userId, returned_incarnations[index]]),
  );
  const recipients = user_ids.map((userId) => ({ userId, incarnation: incarnations.get(userId) ?? 0 }));
  const erased = await listErasedUserIds(tx, app_id, recipients);
  return user_ids.filter((userId) => !erased.has(userId));
}
