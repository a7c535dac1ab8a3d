import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
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
    handle: (tx, { appId, conversationId, body }) =>
      body.case === 'conversationDeleted'
        ? releaseMessages(ctx, tx, { appId, conversationId })
        : Promise.resolve(),
  });
}
