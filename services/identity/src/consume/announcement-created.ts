import type { Consumer } from '@parley/kit/durable/consume';
import { consumeEvents } from '@parley/events/consume';
import { audit } from '../admin/audit.ts';
import type { Context } from '../context.ts';

/** Writes to the audit log which recipients of an announcement do not exist. */
export function consumeAnnouncementCreated(ctx: Context): Consumer {
  return consumeEvents(ctx, {
    durable: 'identity-announcements',
    filter: 'event.*.announcement.created',
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
