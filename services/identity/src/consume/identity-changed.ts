import { toBinary } from '@parley/codec';
import type { Consumer } from '@parley/kit/durable/consume';
import { consumeEvents } from '@parley/events/consume';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { insertFollowerNotices } from '../sql/follower-notice.ts';
import type { Timers } from '../timers/index.ts';

/** Queues a notice for the followers of each changed identity. A timer processes the queue, since there may be many followers. */
export function consumeIdentityChanged(ctx: Context, { notifyFollowers }: Timers): Consumer {
  return consumeEvents(ctx, {
    durable: 'identity-followers',
    filter: 'event.*.identity.changed',
    handleAll: async (tx, events) => {
      const notices = events.flatMap((event) => {
        if (event.body.case !== 'identityChanged' || !event.body.value.identity) return [];
        const { appId, id: eventId } = event;
        const { userId, deleted } = event.body.value.identity;
        if (!deleted) return [{ appId, eventId, userId, event: toBinary(EventSchema, event) }];
        // The notice names no user, since an erasure deletes the notices of its user, and must not delete this one.
        return [{ appId, eventId, userId: '', event: toBinary(EventSchema, withoutPresence(event)) }];
      });
      await insertFollowerNotices(tx, notices);
      tx.afterCommit(notifyFollowers, 'same');
    },
  });
}

/** Removes the presence: the time when an erased person was last seen must not outlive them. */
function withoutPresence(event: Event): Event {
  if (event.body.case !== 'identityChanged') return event;
  const { presence: _, ...value } = event.body.value;
  return { ...event, body: { case: 'identityChanged', value } };
}
