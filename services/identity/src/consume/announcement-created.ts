import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { audit } from '../admin/audit.ts';
import type { Context } from '../context.ts';

/** Writes to the audit log which recipients of an announcement do not exist. */
export function consumeAnnouncementCreated(ctx: Context): Consumer {
  const { db, bus, log, clock, metrics } = ctx;
  return createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'identity-announcements',
    filter: 'event.*.announcement.created',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
    handle: async (tx, { appId, body }) => {
      if (body.case !== 'announcementCreated' || body.value.skippedCount === 0) return;
      const { announcementId, skippedCount, skippedUserIds } = body.value;
      const named = skippedUserIds.join(', ');
      const more = skippedCount - skippedUserIds.length;
      const subject = `${announcementId}: ${named}${more > 0 ? ` and ${more} more` : ''}`;
      await audit(ctx, tx, { appId, action: 'announcement.recipients_skipped', actor: 'server', subject });
    },
  });
}
