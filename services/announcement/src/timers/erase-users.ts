import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { withdrawAnnouncement } from '../sql/announcement.ts';
import { deleteErasure, deleteInbox, deleteReceivedBy, takeBack, takeErasure } from '../sql/erasure.ts';
import { deleteFanOut } from '../sql/fan-out.ts';
import type { Recipient } from '../sql/received.ts';

const BATCH = 1000;

/** Erases what users received, and withdraws what they sent: step by step, so that a crash only repeats a step. */
export async function eraseUsers(ctx: Context): Promise<void> {
  while (await ctx.db.tx((tx) => eraseStep(ctx, tx)));
}

/** False: nobody is left to be erased. */
async function eraseStep(ctx: Context, tx: Tx): Promise<boolean> {
  const user = await takeErasure(tx);
  if (!user) return false;
  if ((await deleteReceivedBy(tx, user, BATCH)) === BATCH) return true;
  await deleteInbox(tx, user);
  const withdrawn = await withdrawAnnouncement(tx, { ...user, now: ctx.clock.now() });
  if (withdrawn !== undefined) await deleteFanOut(tx, user.appId, withdrawn);
  else if (!(await takeSomeBack(ctx, tx, user))) await deleteErasure(tx, user);
  return true;
}

async function takeSomeBack(ctx: Context, tx: Tx, sender: Recipient): Promise<boolean> {
  const lost = await takeBack(tx, { ...sender, now: ctx.clock.now(), limit: BATCH });
  for (const [announcementId, rows] of Map.groupBy(lost, (row) => row.announcement_id)) {
    const body = { case: 'announcementDeleted' as const, value: { announcementId } };
    await ctx.emit(tx, { appId: sender.appId, userIds: rows.map((row) => row.user_id), body });
  }
  return lost.length > 0;
}
