import { erasedVersion } from '@parley/domain/incarnation';
import type { Consumer } from '@parley/kit/durable/consume';
import { consumeEvents } from '@parley/events/consume';
import type { Context } from '../context.ts';
import { eventsByApp } from '@parley/domain/events/by-app';
import { insertErasures } from '../sql/erasure.ts';

/** Queues erased users: a timer removes their content in steps. */
export function consumeErasures(ctx: Context): Consumer {
  return consumeEvents(ctx, {
    durable: 'content-erasures',
    filter: 'event.*.identity.erased',
    handleAll: async (tx, events) => {
      for (const [appId, own] of eventsByApp(events)) {
        const users = own.flatMap(({ body }) =>
          body.case === 'userErased'
            ? [{ userId: body.value.userId, version: erasedVersion(body.value) }]
            : [],
        );
        await insertErasures(tx, appId, users);
      }
    },
  });
}
