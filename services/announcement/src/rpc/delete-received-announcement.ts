import { failNotFound } from '@parley/domain/problems';
import type {
  DeleteReceivedAnnouncementRequest,
  DeleteReceivedAnnouncementResponseSchema,
} from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import type { Context } from '../context.ts';
import { addToInboxCounts, findPosition, lockReceived, markReceived } from '../sql/received.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** A repeated deletion succeeds. Problems: not_found. */
export async function deleteReceivedAnnouncement(
  ctx: Context,
  { appId, userId, id }: DeleteReceivedAnnouncementRequest,
): RpcResponse<typeof DeleteReceivedAnnouncementResponseSchema> {
  const recipient = { appId, userId };
  await ctx.db.tx(async (tx) => {
    const row = await lockReceived(tx, recipient, id);
    if (!row) {
      if ((await findPosition(tx, recipient, id)) === undefined) failNotFound('announcement', id);
      return;
    }
    await markReceived(tx, recipient, { position: row.position, now: ctx.clock.now(), deleted: true });
    await addToInboxCounts(tx, recipient, { listed: -1, unread: row.read_at === null ? -1 : 0 });
    const body = { case: 'announcementDeleted' as const, value: { announcementId: id } };
    await ctx.emit(tx, { appId, userIds: [userId], body });
  });
  return {};
}
