import { failNotFound } from '@parley/domain/problems';
import type {
  RecordAnnouncementReceiptRequest,
  RecordAnnouncementReceiptResponseSchema,
} from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import { addToInboxCounts, lockReceived, markReceived } from '../sql/received.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** A repeated receipt, or a delivery after a read, changes nothing and emits no event. Problems: not_found. */
export async function recordAnnouncementReceipt(
  ctx: Context,
  { appId, userId, id, type }: RecordAnnouncementReceiptRequest,
): RpcResponse<typeof RecordAnnouncementReceiptResponseSchema> {
  const recipient = { appId, userId };
  const read = type === ReceiptType.READ;
  await ctx.db.tx(async (tx) => {
    const row = (await lockReceived(tx, recipient, id)) ?? failNotFound('announcement', id);
    if (row.read_at !== null || (!read && row.delivered_at !== null)) return;
    const { position } = row;
    await markReceived(tx, recipient, { position, now: ctx.clock.now(), delivered: true, read });
    if (read) await addToInboxCounts(tx, recipient, { listed: 0, unread: -1 });
    const value = { announcementId: id, userId, type };
    await ctx.emit(tx, { appId, userIds: [userId], body: { case: 'announcementReceiptRecorded', value } });
  });
  return {};
}
