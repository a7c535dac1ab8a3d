import { create } from '@bufbuild/protobuf';
import {
  ExportedMessageSchema,
  ExportMessagesResponse_SpanSchema,
  type ExportMessagesResponse_Span,
} from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { basicIdentity } from '../basic-identity.ts';
import type { Context } from '../context.ts';
import { listReceipts } from '../receipts.ts';
import { readTogether } from '../snapshot.ts';
import { listStretches, type ExportedRow, type Stretch } from '../sql/export-message.ts';

/** Messages of several conversations with who was sent and has read them, read at one moment. */
export function readSpans(
  ctx: Context,
  appId: string,
  stretches: readonly Stretch[],
): Promise<ExportMessagesResponse_Span[]> {
  return readTogether(ctx, async (sql) => {
    const [rows, receipts] = await Promise.all([
      listStretches(sql, appId, stretches),
      listReceipts(
        sql,
        stretches.map((stretch) => ({ app_id: appId, ...stretch })),
      ),
    ]);
    const byConversation = Map.groupBy(rows, (row) => row.conversation_id);
    return stretches.flatMap(({ conversation_id: conversationId }, index) => {
      const own = byConversation.get(conversationId);
      if (!own) return [];
      const span = create(ExportMessagesResponse_SpanSchema, { conversationId, senders: sendersOf(own) });
      span.messages = own.map(toExported);
      const record = receipts[index];
      if (record) span.receipts = record;
      return [span];
    });
  });
}

function toExported({ id, position, sender_id, sent_at, updated_at, body }: ExportedRow) {
  const message = create(ExportedMessageSchema);
  Object.assign(message, { id, position, senderId: sender_id, sentAt: sent_at, body });
  if (updated_at !== null) message.updatedAt = updated_at;
  return message;
}

function sendersOf(rows: readonly ExportedRow[]) {
  const bySender = new Map(rows.map((row) => [row.sender_id, row]));
  return [...bySender.values()].map((row) =>
    basicIdentity({
      user_id: row.sender_id,
      display_name: row.sender_display_name,
      avatar_url: row.sender_avatar_url,
    }),
  );
}
