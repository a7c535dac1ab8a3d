import type { Consumer } from '@parley/kit/durable/consume';
import { consumeEvents } from '@parley/events/consume';
import type { Context } from '../context.ts';
import { eventsByApp } from '@parley/domain/events/by-app';
import { insertDeletedConversations } from '../sql/deleted-conversation.ts';
import type { Timers } from '../timers/index.ts';

/** Queues conversations that were deleted for all participants: a timer releases their content in steps. */
export function consumeConversations(ctx: Context, { release }: Timers): Consumer {
  return consumeEvents(ctx, {
    durable: 'content-conversations',
    filter: 'event.*.conversation.deleted',
    handleAll: async (tx, events) => {
      for (const [appId, own] of eventsByApp(events)) {
        const deleted = own.filter(({ body }) => body.case === 'conversationDeleted');
        const conversationIds = deleted.map(({ conversationId }) => conversationId);
        await insertDeletedConversations(tx, appId, conversationIds);
      }
      tx.afterCommit(release, 'same');
    },
  });
}
