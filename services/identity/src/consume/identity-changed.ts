import { toBinary } from '@bufbuild/protobuf';
import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { insertFollowerNotices } from '../sql/follower-notice.ts';
import type { Timers } from '../timers/index.ts';

/**
 * Queues a notice for the followers of each changed identity. A timer works the queue off, since followers may be
 * many.
 */
export function consumeIdentityChanged(
  { db, bus, log, clock, metrics }: Context,
  { notifyFollowers }: Timers,
): Consumer {
  return createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'identity-followers',
    filter: 'event.*.identity.changed',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
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
