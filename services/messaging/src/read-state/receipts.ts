import { create } from '@parley/codec';
import type { Sql } from '@parley/kit/postgres';
import {
  ConversationReceiptsSchema,
  ReceiptStateSchema,
  type ConversationReceipts,
  type ReceiptState,
} from '@parley/proto/parley/messaging/v1/message_pb';
import { toReceiptStatus, type StoredReceiptStatus } from './receipt-bitmaps.ts';
import { parseRanges } from './ranges.ts';
import { listReceiptStates, type ReceiptStateRow, type Span } from '../sql/read-state/receipt-state.ts';

/** The receipts of messages, one record for each span, in order. No two spans may be of the same conversation. */
export async function listReceipts(sql: Sql, spans: readonly Span[]): Promise<ConversationReceipts[]> {
  const rows = spans.length > 0 ? await listReceiptStates(sql, spans) : [];
  const byConversation = Map.groupBy(rows, (row) => row.conversation_id);
  return spans.map((span) => {
    const own = byConversation.get(span.conversationId) ?? [];
    return create(ConversationReceiptsSchema, {
      conversationId: span.conversationId,
      states: own.map((row) => toState(row, span)),
      off: own[0]?.is_off ?? false,
    });
  });
}

function toState(row: ReceiptStateRow, span: Span): ReceiptState {
  const status = toReceiptStatus(storedStatus(row), span);
  return create(ReceiptStateSchema, {
    userId: row.user_id,
    member: parseRanges(row.member).map(({ first, last }) => ({ first, last: last === Infinity ? 0 : last })),
    readUntil: status.readUntil,
    deliveredUntil: status.deliveredUntil,
    blocks: status.blocks,
  });
}

function storedStatus(row: ReceiptStateRow): StoredReceiptStatus {
  const blocks = (row.blocks ?? []).flatMap((number, index) => {
    const [read, delivered, hidden] = [row.read[index], row.delivered[index], row.hidden[index]];
    return read && delivered && hidden ? [{ block: number, read, delivered, hidden }] : [];
  });
  return { readUntil: row.read_until, deliveredUntil: row.delivered_until, blocks };
}
