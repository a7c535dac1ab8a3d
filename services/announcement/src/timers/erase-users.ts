import { createErasures } from '@parley/kit/durable/work/erasures';
import type { Tx } from '@parley/kit/postgres';
import { stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import { withdrawAnnouncement } from '../sql/announcement.ts';
import {
  deleteReceivedOfUser,
  erasureQueue,
  findAnnouncementAfter,
  findAnnouncementFrom,
  saveErasureProgress,
  recountInbox,
  deleteFromRecipients,
  type Erasure,
  type NewErasure,
} from '../sql/erasure.ts';
import { deleteFanOut } from '../sql/fan-out.ts';

const BATCH = 500;

/** Deletes what earlier incarnations of users received, withdraws what they sent and deletes it for its recipients. */
export function eraseUsers(ctx: Context): Rounds {
  return createErasures(ctx, {
    queue: erasureQueue,
    afterWrites: 'version',
    steps: [(tx, erasure) => eraseStep(ctx, tx, erasure)],
  });
}

/** True: the erasure is complete. */
async function eraseStep(ctx: Context, tx: Tx, erasure: Erasure): Promise<boolean> {
  const user = { appId: erasure.app_id, userId: erasure.user_id, version: erasure.version };
  const limit = stepSize(BATCH, erasure);
  if ((await deleteReceivedOfUser(tx, user, limit)) === limit) return false;
  await recountInbox(tx, user);
  const withdrawn = await withdrawAnnouncement(tx, { ...user, now: ctx.clock.now() });
  if (withdrawn === undefined) return deleteFromNextRecipients(ctx, tx, erasure, user);
  await deleteFanOut(tx, user.appId, withdrawn);
  return false;
}

/** Deletes a withdrawn announcement for its next recipients. True: done for all withdrawn announcements. */
async function deleteFromNextRecipients(
  ctx: Context,
  tx: Tx,
  erasure: Erasure,
  sender: NewErasure,
): Promise<boolean> {
  const { appId } = sender;
  const { taken_back_announcement: from, taken_back_user: afterUserId } = erasure;
  const announcementId = await findAnnouncementFrom(tx, sender, from);
  if (announcementId === undefined) return true;
  const limit = stepSize(BATCH, erasure);
  const page = { appId, announcementId, afterUserId, now: ctx.clock.now(), limit };
  const rows = await deleteFromRecipients(tx, page);
  const userIds = rows.filter(({ was_listed }) => was_listed).map(({ user_id }) => user_id);
  const body = { case: 'announcementDeleted' as const, value: { announcementId } };
  if (userIds.length > 0) await ctx.emit(tx, { appId, userIds, body });
  const last = rows.at(-1);
  if (last && rows.length === limit) {
    await saveErasureProgress(tx, sender, { announcementId, userId: last.user_id });
    return false;
  }
  const next = await findAnnouncementAfter(tx, sender, announcementId);
  if (next !== undefined) await saveErasureProgress(tx, sender, { announcementId: next, userId: '' });
  return next === undefined;
}
