import type { Consumer } from '@parley/kit/durable/consume';
import { consumeEvents } from '@parley/events/consume';
import type { Context } from '../context.ts';
import { eventsByApp } from '@parley/domain/events/by-app';
import { confirmAnnouncements } from '../sql/content-message.ts';

/** Confirms claims made for announcements: messaging, which later verifies claims, does not know announcements. */
export function consumeAnnouncements(ctx: Context): Consumer {
  return consumeEvents(ctx, {
    durable: 'content-announcements',
    filter: 'event.*.announcement.created',
    handleAll: async (tx, events) => {
      for (const [appId, own] of eventsByApp(events)) {
        const ids = own.flatMap(({ body }) =>
          body.case === 'announcementCreated' ? [body.value.announcementId] : [],
        );
        await confirmAnnouncements(tx, appId, ids);
      }
    },
  });
}
