import { create } from '@bufbuild/protobuf';
import type { Sql } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import {
  ExportMessagesResponse_SpanSchema,
  type ExportMessagesResponse_Span,
} from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { basicIdentity } from '../basic-identity.ts';
import type { Context } from '../context.ts';
import { listReceipts } from '../receipts.ts';
import { readTogether } from '../snapshot.ts';
import { readStretches, type ReadStretch, type Stretch } from '../sql/export-message.ts';
import { listIdentities } from '../sql/identity-copy.ts';

/** Of bodies in one read: a message of a thousand parts has two megabytes and goes alone. */
const MOST_BYTES = 65_536;

type Read = {
  spans: ExportMessagesResponse_Span[];
  /** What there was no room for. */
  rest: Stretch[];
};

/** Messages of several conversations with who was sent and has read them, read at one moment. */
export function readSpans(ctx: Context, appId: string, stretches: readonly Stretch[]): Promise<Read> {
  return readTogether(ctx, async (sql) => {
    const refs = stretches.map((stretch) => ({ app_id: appId, ...stretch }));
    const [read, receipts] = await Promise.all([
      readStretches(sql, { appId, stretches, mostBytes: MOST_BYTES }),
      listReceipts(sql, refs),
    ]);
    const senders = await findSenders(sql, appId, read);
    const spans = read.map(({ number, sender_ids, rows }) => {
      const record = receipts[number - 1];
      return create(ExportMessagesResponse_SpanSchema, {
        conversationId: stretches[number - 1]?.conversation_id ?? '',
        ...(record && { receipts: record }),
        senders: sender_ids.map((userId) => senders.get(userId) ?? basicIdentity({ user_id: userId })),
        rows,
      });
    });
    return { spans, rest: restOf(stretches, read) };
  });
}

async function findSenders(
  sql: Sql,
  appId: string,
  read: readonly ReadStretch[],
): Promise<Map<string, BasicIdentity>> {
  const userIds = new Set(read.flatMap((stretch) => stretch.sender_ids));
  const refs = [...userIds].map((user_id) => ({ app_id: appId, user_id }));
  const rows = refs.length > 0 ? await listIdentities(sql, refs) : [];
  return new Map(rows.map((row) => [row.user_id, basicIdentity(row)]));
}

function restOf(stretches: readonly Stretch[], read: readonly ReadStretch[]): Stretch[] {
  const end = read.at(-1);
  const stretch = end && stretches[end.number - 1];
  if (!stretch || end.bytes < MOST_BYTES) return [];
  const begun = end.last < stretch.last ? [{ ...stretch, first: end.last + 1 }] : [];
  return [...begun, ...stretches.slice(end.number)];
}
