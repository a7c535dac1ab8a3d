import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { eventsByApp } from '@parley/domain/events/by-app';
import { confirmAnnouncements } from '../sql/content-message.ts';

/** Confirms claims made for announcements: messaging, which later verifies claims, does not know announcements. */
export function consumeAnnouncements({ db, bus, log, clock, metrics }: Context): Consumer {
  return createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'content-announcements',
    filter: 'event.*.announcement.created',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
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
