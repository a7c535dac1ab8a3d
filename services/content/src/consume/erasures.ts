import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { byApp } from './by-app.ts';
import { releaseMessages } from '../release.ts';
import { endContentOfUsers } from '../sql/content-end.ts';

/** Removes what an erased person uploaded for nobody, and the content of their messages. */
export function consumeErasures(ctx: Context): Consumer {
  const { db, bus, log, clock, metrics } = ctx;
  return createConsumer({
    ...{ db, bus, log, clock, metrics },
    durable: 'content-erasures',
    filter: 'event.*.identity.erased',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    handleAll: async (tx, events) => {
      for (const [appId, own] of byApp(events)) {
        const userIds = own.flatMap(({ body }) => (body.case === 'userErased' ? [body.value.userId] : []));
        await releaseMessages(ctx, tx, { appId, senderIds: userIds });
        await endContentOfUsers(tx, { appId, userIds, at: clock.now() });
      }
    },
  });
}
