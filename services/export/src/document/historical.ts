import { conversationJson } from '@parley/domain/json/conversation';
import type { Message as MessageJson } from '@parley/contract/records/message';
import { messageJson } from '@parley/domain/json/message';
import type { View } from '@parley/domain/json/view';
import type { ExportMessagesResponse_Span as Span } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Context } from '../context.ts';
import type { ExportRow } from '../sql/export.ts';
import { jsonArrayItems } from './json-array.ts';
import { messagesOf } from './messages-of-span.ts';

/** How long messaging may take to read the heads of all conversations. */
const CUT_TIMEOUT_MS = 60_000;

/**
 * The text of a historical export.json: everything before the cut that has the export's id.
 * docs/protocol/exports.md#historical-archives
 */
export async function* historicalDocument(
  ctx: Context,
  { app_id: appId, id: cutId }: ExportRow,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const view = ctx.viewOf(appId);
  await ctx.source.fixCut({ appId, cutId }, { timeoutMs: CUT_TIMEOUT_MS, signal });
  const source = { appId, cutId, signal };
  yield Buffer.from('{"conversations":[');
  yield* jsonArrayItems(ctx.turns.inTurn(appId, conversations(ctx, view, source)));
  yield Buffer.from('],\n"messages":[');
  yield* jsonArrayItems(ctx.turns.inTurn(appId, messages(ctx, view, source)));
  yield Buffer.from(']}\n');
}

type Cut = { appId: string; cutId: string; signal: AbortSignal };

async function* conversations({ source }: Context, view: View, { appId, cutId, signal }: Cut) {
  for await (const { conversations } of source.exportConversations({ appId, cutId }, { signal })) {
    yield conversations.map((conversation) => conversationJson(view, conversation));
  }
}

async function* messages({ source }: Context, view: View, { appId, cutId, signal }: Cut) {
  for await (const { spans } of source.exportMessages({ appId, cutId }, { signal })) {
    yield messagesIn(view, appId, spans);
  }
}

function* messagesIn(view: View, appId: string, spans: readonly Span[]): Generator<MessageJson> {
  for (const span of spans) {
    for (const message of messagesOf(appId, span)) yield messageJson(view, message, span.receipts);
  }
}
