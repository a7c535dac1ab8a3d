import type { Tx } from '@parley/kit/postgres';
import { createRounds, type Rounds } from '@parley/kit/work-queue';
import type { Context } from '../context.ts';
import { fanOutQueue, insertReceived, type FanOutItem } from '../sql/fan-out.ts';

/** Gives announcements to recipients who do not have them yet, one slice of recipients in a transaction. */
export function createFanOut(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    ...{ queue: fanOutQueue, db, log, clock },
    step: (slice) => fanOutQueue.work(db, slice, (tx) => fanOut(ctx, tx, slice)),
  });
}

async function fanOut(ctx: Context, tx: Tx, slice: FanOutItem): Promise<true> {
  const places = await insertReceived(tx, slice, ctx.clock.now());
  const positions = new Map(places.map((place) => [place.user_id, place.position]));
  const announcementId = slice.announcement_id;
  await ctx.emit(tx, {
    appId: slice.app_id,
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
