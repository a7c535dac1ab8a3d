import { toBinary } from '@parley/codec';
import type { Consumer } from '@parley/kit/consume';
import { consumeEvents } from '@parley/kit/consume/events';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { insertFollowerNotices } from '../sql/follower-notice.ts';
import type { Timers } from '../timers/index.ts';

/**
 * Queues a notice for the followers of each changed identity. A timer works the queue off, since followers may be
 * many.
 */
export function consumeIdentityChanged(ctx: Context, { notifyFollowers }: Timers): Consumer {
  return consumeEvents(ctx, {
    durable: 'identity-followers',
    filter: 'event.*.identity.changed',
    handleAll: async (tx, events) => {
      const notices = events.flatMap((event) => {
        if (event.body.case !== 'identityChanged' || !event.body.value.identity) return [];
        const { appId, id: eventId } = event;
        const { userId } = event.body.value.identity;
        return [{ appId, eventId, userId, event: toBinary(EventSchema, event) }];
      });
      await insertFollowerNotices(tx, notices);
      tx.afterCommit(notifyFollowers);
    },
  });
}
