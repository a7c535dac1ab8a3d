import { fromBinary } from '@parley/codec';
import { createRounds, stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import { EventSchema, type Event, type ReactionsChanged } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { preparePushes, type PushOrder } from './push-events.ts';
import { listNameBlockers } from '../sql/message/reaction-count.ts';
import { listParticipantsAt } from '../sql/push/push-audience.ts';
import { advancePushOrder, pushQueue, type PushOrderRow } from '../sql/push/push-order.ts';

/** Recipients of one step. */
const RECIPIENTS_PER_STEP = 250;
/** A day. */
const DEFAULT_TTL_SECONDS = 86_400;

/** Makes pushes, one page of recipients a step. */
export function createPushRounds(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    queue: pushQueue,
    db,
    log,
    clock,
    step: (row) => pushPage(ctx, row),
  });
}

async function pushPage(ctx: Context, row: PushOrderRow): Promise<void> {
  const order = await orderOf(ctx, fromBinary(EventSchema, row.event));
  const left = order.userIds.filter((userId) => userId > row.made_until).sort();
  const userIds = left.slice(0, stepSize(RECIPIENTS_PER_STEP, row));
  const emit = await preparePushes(ctx, { ...order, userIds });
  await pushQueue.work(ctx.db, row, async (tx) => {
    await emit(tx);
    const last = userIds.at(-1);
    if (last === undefined || userIds.length === left.length) return true;
    await advancePushOrder(tx, row, last);
    return false;
  });
}

/** The recipients and the content of a push. A message that was deleted in the meantime has no recipients. */
async function orderOf(ctx: Context, source: Event): Promise<PushOrder> {
  const { body } = source;
  if (body.case === 'notificationRequested' && body.value.notification) {
    const { userIds, notification, data, ttlInSeconds } = body.value;
    return { source, userIds, notification, data, expiresAt: expiryOf(source, ttlInSeconds) };
  }
  if (body.case === 'reactionsChanged') return orderOfReaction(ctx, source, body.value);
  if (body.case !== 'messageCreated' || !body.value.message?.notification)
    throw new Error('the event of a push order has no notification');
  const { message } = body.value;
  const { conversationId } = source;
  const aboutMessage = { conversationId, messageId: message.id, sender: message.sender };
  const userIds = await recipientsOf(ctx, source);
  const { notification } = body.value.message;
  return { source, userIds, notification, message: aboutMessage, expiresAt: expiryOf(source) };
}

/**
 * A reaction, which is pushed to the message's sender, if they still take part and do not block who reacts. Its push is for no message, since
 * its sender has read that. The data name what it is about.
 */
async function orderOfReaction(ctx: Context, source: Event, reacted: ReactionsChanged): Promise<PushOrder> {
  const { messageId, position, pushes } = reacted;
  const [push] = pushes;
  if (!push?.notification || !push.user) throw new Error('the event of a push order has no notification');
  const { appId, conversationId, seq } = source;
  const { recipientUserId: recipient, user, key, notification } = push;
  const place = { appId, conversationId, position };
  const present = await listParticipantsAt(ctx.db, place, { seq, userIds: [recipient] });
  const names = [{ conversationId, userId: user.userId }];
  const blockers = await listNameBlockers(ctx.db, appId, names);
  const userIds = present.filter((userId) => !blockers.some((row) => row.user_id === userId));
  const data = { type: 'reaction', conversation_id: conversationId, message_id: messageId, key };
  return { source, userIds, notification, data, expiresAt: expiryOf(source) };
}

/** Milliseconds since the epoch from which on a push is not worth showing. docs/protocol/messages.md#notifications */
function expiryOf({ createdAt }: Event, ttlInSeconds = 0): number {
  return createdAt + (ttlInSeconds || DEFAULT_TTL_SECONDS) * 1000;
}

async function recipientsOf(ctx: Context, { body, ...source }: Event): Promise<string[]> {
  if (body.case !== 'messageCreated' || !body.value.message) return [];
  const { message, hiddenFrom, contraryUserIds } = body.value;
  const { appId, conversationId, seq } = source;
  const place = { appId, conversationId, position: message.position };
  const hidden = new Set(hiddenFrom);
  const exceptions = new Set(contraryUserIds);
  const members = await listParticipantsAt(ctx.db, place, {
    seq,
    userIds: message.low ? contraryUserIds : null,
  });
  return members.filter((userId) => {
    if (userId === message.sender?.userId || hidden.has(userId)) return false;
    return exceptions.has(userId) === message.low;
  });
}
