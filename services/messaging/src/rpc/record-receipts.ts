import { isUserId, isUuid } from '@parley/domain/ids';
import { notFound, problem } from '@parley/domain/problems';
import { ContendedError } from '@parley/kit/batch';
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
import { listMessagePlaces, type MessagePlace } from '../sql/message/message.ts';

type Outcome = ReceiptOutcome | 'contended';

export async function recordReceipts(
  ctx: Context,
  receipts: ReceiptBatcher,
  { items, waitMs }: RecordReceiptsRequest,
) {
  const giveUpAt = giveUpTime(waitMs);
  const understandsContended = waitMs !== undefined;
  const refs = items.filter(hasValidIds).map((item) => ({ appId: item.appId, id: item.messageId }));
  const places = refs.length > 0 ? await listMessagePlaces(ctx.db, refs) : [];
  const byMessage = new Map(places.map((place) => [`${place.app_id}/${place.id}`, place]));
  const outcomes = await Promise.all(
    items.map((item) => {
      const place = byMessage.get(`${item.appId}/${item.messageId}`);
      return record(ctx, receipts, item, place && { place, giveUpAt });
    }),
  );
  return { results: outcomes.map((outcome) => toResult(outcome, understandsContended)) };
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
