import { erasedVersion } from '@parley/domain/incarnation';
import type { Consumer } from '@parley/kit/durable/consume';
import { consumeEvents } from '@parley/events/consume';
import type { Context } from '../context.ts';
import { insertErasures } from '../sql/erasure.ts';

/** Queues the erasure of users whom the identity service has erased. A timer works the queue off. */
export function consumeIdentityErased(ctx: Context): Consumer {
  return consumeEvents(ctx, {
    durable: 'announcement-erasures',
    filter: 'event.*.identity.erased',
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
