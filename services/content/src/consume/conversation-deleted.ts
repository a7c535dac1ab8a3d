import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { eventsByApp } from '@parley/domain/events/by-app';
import { insertDeletedConversations } from '../sql/deleted-conversation.ts';
import type { Timers } from '../timers/index.ts';

/** Queues conversations that were deleted for all participants: a timer releases their content in steps. */
export function consumeConversations(
  { db, bus, log, clock, metrics }: Context,
  { release }: Timers,
): Consumer {
  return createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'content-conversations',
    filter: 'event.*.conversation.deleted',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
    handleAll: async (tx, events) => {
      for (const [appId, own] of eventsByApp(events)) {
        const deleted = own.filter(({ body }) => body.case === 'conversationDeleted');
        const conversationIds = deleted.map(({ conversationId }) => conversationId);
        await insertDeletedConversations(tx, appId, conversationIds);
      }
      tx.afterCommit(release);
    },
  });
}
