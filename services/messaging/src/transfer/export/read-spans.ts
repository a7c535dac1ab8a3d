import { create } from '@parley/codec';
import type { Sql } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import {
  ExportMessagesResponse_SpanSchema,
  type ExportMessagesResponse_Span,
} from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { basicIdentity } from '../../identity/basic-identity.ts';
import type { Context } from '../../context.ts';
import { listReceipts } from '../../read-state/receipts.ts';
import { readSnapshot } from '../../transaction/snapshot.ts';
import { readMessageSpans, type ReadRange, type MessageRange } from '../../sql/transfer/export-message.ts';
import { listExportedReactions, type ExportedReactionRow } from '../../sql/transfer/export-reaction.ts';
import { listIdentities } from '../../sql/identity/identity-copy.ts';

/**
 * Bytes of one read, with receipts; a message of a thousand parts has two megabytes and ends it. In hexadecimal digits,
 * as the driver receives them, it stays below 128 KiB: V8 gives larger strings a page of their own.
 */
const MAX_BYTES = 57_344;

type ReadPage = {
  exported: ExportMessagesResponse_Span[];
  /** The spans that did not fit. */
  rest: MessageRange[];
};

/** Messages of several conversations with their recipients' receipts, read in one snapshot. */
export function readSpans(ctx: Context, appId: string, spans: readonly MessageRange[]): Promise<ReadPage> {
  return readSnapshot(ctx, async (sql) => {
    const read = await readMessageSpans(sql, { appId, spans, mostBytes: MAX_BYTES });
    const found = read.flatMap(({ number, last, sender_ids, shadowed, rows }) => {
      const span = spans[number - 1];
      return span && rows
        ? [{ ...span, appId, last: last ?? 0, senderIds: sender_ids ?? [], shadowed: shadowed ?? [], rows }]
        : [];
    });
    const [receipts, reactions, senders] = await Promise.all([
      listReceipts(sql, found),
      listExportedReactions(sql, appId, found),
      listSenders(sql, appId, new Set(found.flatMap(({ senderIds }) => senderIds))),
    ]);
    const exported = found.map(({ conversationId, senderIds, shadowed, rows }, index) => {
      const record = receipts[index];
      return create(ExportMessagesResponse_SpanSchema, {
        conversationId,
        ...(record && { receipts: record }),
        senders: senderIds.map((userId) => senders.get(userId) ?? basicIdentity({ user_id: userId })),
        rows,
        shadowed,
        reactions: reactionsOf(reactions.filter((row) => row.number === index + 1)),
      });
    });
    return { exported, rest: restOf(spans, read) };
  });
}

function reactionsOf(rows: readonly ExportedReactionRow[]) {
  const byPosition = Map.groupBy(rows, ({ position }) => position);
  return [...byPosition].map(([position, some]) => ({
    position,
    reactions: some.map(({ key, count, recent, user_ids: userIds }) => ({ key, count, recent, userIds })),
  }));
}

async function listSenders(
  sql: Sql,
  appId: string,
  userIds: ReadonlySet<string>,
): Promise<Map<string, BasicIdentity>> {
  const refs = [...userIds].map((userId) => ({ appId, userId }));
  const rows = refs.length > 0 ? await listIdentities(sql, refs) : [];
  return new Map(rows.map((row) => [row.user_id, basicIdentity(row)]));
}

function restOf(spans: readonly MessageRange[], read: readonly ReadRange[]): MessageRange[] {
  const cut = read.find(({ is_cut }) => is_cut);
  const span = cut && spans[cut.number - 1];
  if (!span) return [];
  return [{ ...span, first: (cut.last ?? span.first - 1) + 1 }, ...spans.slice(cut.number)];
}
