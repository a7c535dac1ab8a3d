import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { byApp } from './by-app.ts';
import { releaseMessages } from '../release.ts';

/** Lets go of the content of all messages of a conversation that was deleted for everybody. */
export function consumeConversations(ctx: Context): Consumer {
  const { db, bus, log, clock, metrics } = ctx;
  return createConsumer({
    ...{ db, bus, log, clock, metrics },
    durable: 'content-conversations',
    filter: 'event.*.conversation.deleted',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
    handleAll: async (tx, events) => {
      for (const [appId, own] of byApp(events)) {
        const deleted = own.filter(({ body }) => body.case === 'conversationDeleted');
        const conversationIds = deleted.map(({ conversationId }) => conversationId);
        await releaseMessages(ctx, tx, { appId, conversationIds });
      }
    },
  });
}
