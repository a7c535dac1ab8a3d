import { isUserId, isUuid } from '@parley/domain/ids';
import { notFound, problem } from '@parley/domain/problems';
import { ContendedError } from '@parley/kit/flow/batch';
import type {
  ChangeReactionsRequest,
  ChangeReactionsRequest_Item,
} from '@parley/proto/parley/messaging/v1/reaction_service_pb';
import type { Context } from '../context.ts';
import type { ReactionBatcher } from '../reaction/batcher.ts';
import type { ReactionOutcome } from '../reaction/run.ts';
import { listMessagePlaces, type MessagePlace } from '../sql/message/message.ts';
import { giveUpTime } from '../transaction/contention.ts';
import { toProblem } from '../transaction/failures.ts';
import type { Sending } from './rpc-context.ts';

type Outcome = ReactionOutcome | 'contended';

export async function changeReactions(
  { sending }: { sending: Pick<Sending, 'ctx' | 'reactions'> },
  { items, waitMs }: ChangeReactionsRequest,
) {
  const { ctx, reactions } = sending;
  const giveUpAt = giveUpTime(waitMs);
  const placeOf = await findPlaces(ctx, items.filter(hasValidIds));
  const outcomes = await Promise.all(
    items.map((item) => {
      const place = placeOf(item);
      return change(ctx, reactions, item, place && { place, giveUpAt });
    }),
  );
  return { results: outcomes.map(toResult) };
}

/** Looks up the places that the caller does not know. */
async function findPlaces(
  { db }: Context,
  items: readonly ChangeReactionsRequest_Item[],
): Promise<(item: ChangeReactionsRequest_Item) => MessagePlace | undefined> {
  const places = new Map<string, MessagePlace>();
  const refs = items.flatMap((item) => (givenPlace(item) ? [] : [{ appId: item.appId, id: item.messageId }]));
  for (const item of items) {
    const place = givenPlace(item);
    if (place) places.set(keyOf(item), place);
  }
  for (const place of refs.length > 0 ? await listMessagePlaces(db, refs) : [])
    places.set(`${place.app_id}/${place.id}`, place);
  return (item) => places.get(keyOf(item));
}

function keyOf({ appId, messageId }: ChangeReactionsRequest_Item): string {
  return `${appId}/${messageId}`;
}

/** Undefined for a user's own message, too, of which it has to be known whether it is shadowed. */
function givenPlace({
  appId,
  messageId,
  userId,
  place,
}: ChangeReactionsRequest_Item): MessagePlace | undefined {
  if (!place || place.senderId === userId || !isUuid(place.conversationId)) return undefined;
  const { conversationId: conversation_id, position, senderId: sender_id } = place;
  return { app_id: appId, id: messageId, conversation_id, position, sender_id };
}

function toResult(outcome: Outcome) {
  if (outcome !== 'contended') return outcome ? { problem: outcome } : {};
  return { contended: {} };
}

async function change(
  ctx: Context,
  reactions: ReactionBatcher,
  { userId, messageId, key, remove, replace, notification }: ChangeReactionsRequest_Item,
  found: { place: MessagePlace; giveUpAt: number } | undefined,
): Promise<Outcome> {
  if (!found) return notFound('message', messageId);
  if (key === '') return problem('invalid_property', { property: 'key' });
  try {
    return await reactions.add({ userId, key, remove, replace, notification, ...found });
  } catch (error) {
    if (error instanceof ContendedError) return 'contended';
    return toProblem(error, ctx.log);
  }
}

function hasValidIds({ appId, messageId, userId }: ChangeReactionsRequest_Item): boolean {
  return isUuid(appId) && isUuid(messageId) && isUserId(userId);
}
