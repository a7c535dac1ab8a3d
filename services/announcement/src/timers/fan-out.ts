import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { insertReceived, takeFanOut } from '../sql/fan-out.ts';

/** Gives announcements to those who have not got them yet, the oldest first, a slice of recipients in a transaction. */
export async function fanOut(ctx: Context): Promise<void> {
  while (await ctx.db.tx((tx) => fanOutSlice(ctx, tx)));
}

/** False: nothing is left to be done, or others are at it. */
async function fanOutSlice(ctx: Context, tx: Tx): Promise<boolean> {
  const slice = await takeFanOut(tx);
  if (!slice) return false;
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
