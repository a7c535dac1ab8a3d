import { isUserId, isUuid } from '@parley/domain/ids';
import { notFound, problem } from '@parley/domain/problems';
import { ContendedError } from '@parley/kit/flow/batch';
import type {
  RecordReceiptsRequest,
  RecordReceiptsRequest_Item,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { giveUpTime } from '../transaction/contention.ts';
import type { Context } from '../context.ts';
import { toProblem } from '../transaction/failures.ts';
import type { ReceiptBatcher } from '../read-state/record/batcher.ts';
import type { ReceiptOutcome } from '../read-state/record/run.ts';
import type { Sending } from './rpc-context.ts';
import { listMessagePlaces, type MessagePlace, type MessageRef } from '../sql/message/message.ts';

type Outcome = ReceiptOutcome | 'contended';

export async function recordReceipts(
  { sending }: { sending: Pick<Sending, 'ctx' | 'receipts'> },
  { items, waitMs }: RecordReceiptsRequest,
) {
  const { ctx, receipts } = sending;
  const giveUpAt = giveUpTime(waitMs);
  const understandsContended = waitMs !== undefined;
  const placeOf = await findPlaces(ctx, items.filter(hasValidIds));
  const outcomes = await Promise.all(
    items.map((item) => {
      const place = placeOf(item);
      return record(ctx, receipts, item, place && { place, giveUpAt });
    }),
  );
  return { results: outcomes.map((outcome) => toResult(outcome, understandsContended)) };
}

/** Looks up the places that the caller does not know. */
async function findPlaces(
  { db }: Context,
  items: readonly RecordReceiptsRequest_Item[],
): Promise<(item: RecordReceiptsRequest_Item) => MessagePlace | undefined> {
  const places = new Map<string, MessagePlace>();
  const refs: MessageRef[] = [];
  for (const item of items) {
    const place = givenPlace(item);
    if (place) places.set(keyOf(item), place);
    else refs.push({ appId: item.appId, id: item.messageId });
  }
  for (const place of refs.length > 0 ? await listMessagePlaces(db, refs) : [])
    places.set(`${place.app_id}/${place.id}`, place);
  return (item) => places.get(keyOf(item));
}

function keyOf({ appId, messageId }: RecordReceiptsRequest_Item): string {
  return `${appId}/${messageId}`;
}

/** Undefined for a user's own message, too, of which it has to be known whether it is shadowed. */
function givenPlace({
  appId,
  messageId,
  userId,
  place,
}: RecordReceiptsRequest_Item): MessagePlace | undefined {
  if (!place || place.senderId === userId || !isUuid(place.conversationId)) return undefined;
  const { conversationId: conversation_id, position, senderId: sender_id } = place;
  return { app_id: appId, id: messageId, conversation_id, position, sender_id };
}

/** `understandsContended`: the caller knows this outcome and retries. */
function toResult(outcome: Outcome, understandsContended: boolean) {
  if (outcome !== 'contended') return outcome ? { problem: outcome } : {};
  return understandsContended ? { contended: {} } : { problem: problem('service_unavailable') };
}

async function record(
  ctx: Context,
  receipts: ReceiptBatcher,
  { userId, type, messageId }: RecordReceiptsRequest_Item,
  found: { place: MessagePlace; giveUpAt: number } | undefined,
): Promise<Outcome> {
  if (!found) return notFound('message', messageId);
  if (type === ReceiptType.UNSPECIFIED) return problem('invalid_property', { property: 'type' });
  try {
    return await receipts.add({ userId, type, ...found });
  } catch (error) {
    if (error instanceof ContendedError) return 'contended';
    return toProblem(error, ctx.log);
  }
}

function hasValidIds({ appId, messageId, userId }: RecordReceiptsRequest_Item): boolean {
  return isUuid(appId) && isUuid(messageId) && isUserId(userId);
}
