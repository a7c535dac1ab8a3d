import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { confirmAnnouncement } from '../sql/content-message.ts';

/** Keeps what was claimed for announcements: messaging, which is asked about claims later, knows nothing of them. */
export function consumeAnnouncements({ db, bus, log, clock, metrics }: Context): Consumer {
  return createConsumer({
    ...{ db, bus, log, clock, metrics },
    durable: 'content-announcements',
    filter: 'event.*.announcement.created',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    handle: async (tx, { appId, body }) => {
      if (body.case === 'announcementCreated')
        await confirmAnnouncement(tx, appId, body.value.announcementId);
    },
  });
}
