import { create, toBinary } from '@parley/codec';
import { derivedId } from '@parley/domain/derived-id';
import type { Consumer } from '@parley/kit/durable/consume';
import { eventFilter } from '@parley/domain/events';
import { EventSchema, ReactionsChangedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { consumeInCells } from '../cells/consume.ts';
import type { Context } from '../context.ts';
import { insertPushOrders } from '../sql/push/push-order.ts';

/** Starts making the pushes that were ordered. */
type Trigger = { push(): void };

/**
 * Stores a push order for each message with a notification. A timer makes the pushes, so that sends do not wait for
 * them.
 */
export function consumeMessages(contexts: readonly Context[], triggers: readonly Trigger[]): Consumer {
  return consumeOrders(contexts, triggers, {
    durable: 'messaging-pushes',
    filter: eventFilter('message.created'),
    lingerMs: 50,
  });
}

/** Stores a push order for each reaction with a notification. */
export function consumeReactions(contexts: readonly Context[], triggers: readonly Trigger[]): Consumer {
  return consumeOrders(contexts, triggers, {
    durable: 'messaging-reactions',
    filter: eventFilter('reaction.changed'),
    lingerMs: 50,
  });
}

/** Stores push orders for notifications that belong to no message. */
export function consumeNotifications(contexts: readonly Context[], triggers: readonly Trigger[]): Consumer {
  return consumeOrders(contexts, triggers, {
    durable: 'messaging-notifications',
    filter: eventFilter('notification.requested'),
  });
}

function consumeOrders(
  contexts: readonly Context[],
  triggers: readonly Trigger[],
  options: { durable: string; filter: string; lingerMs?: number },
): Consumer {
  return consumeInCells(contexts, (_, cell) => ({
    ...options,
    isWanted: isPushed,
    handleAll: async (tx, events) => {
      const orders = events.flatMap(singlePushes).map((event) => ({
        appId: event.appId,
        eventId: event.id,
        event: toBinary(EventSchema, withoutParts(event)),
      }));
      await insertPushOrders(tx, orders);
      tx.afterCommit(() => triggers[cell]?.push(), 'same');
    },
  }));
}

// docs/protocol/messages.md#notifications: a message without a notification, or of low significance for all recipients,
// causes no push.
function isPushed({ body }: Event): boolean {
  if (body.case === 'notificationRequested') return body.value.notification !== undefined;
  if (body.case === 'reactionsChanged') return body.value.pushes.length > 0;
  if (body.case !== 'messageCreated' || !body.value.message?.notification || body.value.message.shadowed)
    return false;
  return !body.value.message.low || body.value.contraryUserIds.length > 0;
}

/** An event for each push; their ids follow from that of the event. */
function singlePushes(event: Event): Event[] {
  const { body } = event;
  if (body.case !== 'reactionsChanged') return [event];
  const { messageId, position, pushes } = body.value;
  return pushes.map((push) => {
    const value = create(ReactionsChangedSchema, { messageId, position, pushes: [push] });
    const id = derivedId(event.id, push.user?.userId ?? '');
    return { ...event, id, body: { case: 'reactionsChanged', value } };
  });
}

/** A push does not carry the parts of its message. */
function withoutParts(event: Event): Event {
  const { body } = event;
  if (body.case !== 'messageCreated' || !body.value.message) return event;
  const message = { ...body.value.message, parts: [] };
  return { ...event, body: { case: 'messageCreated', value: { ...body.value, message } } };
}
