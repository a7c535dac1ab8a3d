import { isUserId, isUuid } from '@parley/domain/ids';
import { problem } from '@parley/domain/problems';
import {
  type RecordReceiptsRequest,
  type RecordReceiptsRequest_Item,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import { toProblem } from '../failures.ts';
import type { Receipts } from '../receiving/receipts.ts';
import type { ReceiptOutcome } from '../receiving/run.ts';
import { listMessagePlaces, type MessagePlace } from '../sql/message.ts';

export async function recordReceipts(ctx: Context, receipts: Receipts, { items }: RecordReceiptsRequest) {
  const refs = items.filter(isSound).map((item) => ({ app_id: item.appId, id: item.messageId }));
  const places = refs.length > 0 ? await listMessagePlaces(ctx.db, refs) : [];
  const byMessage = new Map(places.map((place) => [`${place.app_id}/${place.id}`, place]));
  const outcomes = await Promise.all(
    items.map((item) => record(ctx, receipts, item, byMessage.get(`${item.appId}/${item.messageId}`))),
  );
  return { results: outcomes.map((outcome) => (outcome ? { problem: outcome } : {})) };
}

async function record(
  ctx: Context,
  receipts: Receipts,
  { userId, type }: RecordReceiptsRequest_Item,
  place: MessagePlace | undefined,
): Promise<ReceiptOutcome> {
  if (!place) return problem('not_found');
  if (type === ReceiptType.UNSPECIFIED) return problem('invalid_property', { property: 'type' });
  try {
    return await receipts.add({ userId, type, place });
  } catch (error) {
    return toProblem(error, ctx.log);
  }
}

function isSound({ appId, messageId, userId }: RecordReceiptsRequest_Item): boolean {
  return isUuid(appId) && isUuid(messageId) && isUserId(userId);
}
