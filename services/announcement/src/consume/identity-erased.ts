import { erasedVersion } from '@parley/domain/incarnation';
import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { insertErasures } from '../sql/erasure.ts';

/** Queues the erasure of users whom the identity service has erased. A timer works the queue off. */
export function consumeIdentityErased({ db, bus, log, clock, metrics }: Context): Consumer {
  return createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'announcement-erasures',
    filter: 'event.*.identity.erased',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
    handleAll: async (tx, events) => {
      const users = events.flatMap(({ appId, body }) =>
        body.case === 'userErased'
          ? [{ appId, userId: body.value.userId, version: erasedVersion(body.value) }]
          : [],
      );
      await insertErasures(tx, users);
    },
  });
}
