import { erasedVersion } from '@parley/domain/incarnation';
import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { eventsByApp } from '@parley/domain/events/by-app';
import { insertErasures } from '../sql/erasure.ts';

/** Queues erased users: a timer removes their content in steps. */
export function consumeErasures({ db, bus, log, clock, metrics }: Context): Consumer {
  return createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'content-erasures',
    filter: 'event.*.identity.erased',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
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
