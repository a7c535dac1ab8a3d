import type { Notification } from '@parley/proto/parley/messaging/v1/message_pb';
import { limits } from '@parley/contract/limits';
import type { Wire } from '../wire.ts';
import { invalid, missing, optional, parseObject } from './fields.ts';
import { parseIdentityList } from './identity-refs.ts';
import { parseNotification } from './notification.ts';

/**
 * A push without a message. Fails with missing_property, invalid_property, invalid_request.
 * docs/protocol/messages.md#notifications
 */
export function parseNotificationRequest(
  wire: Wire,
  body: unknown,
): { userIds: string[]; notification: Notification } {
  const fields = parseObject(body);
  const recipients = optional(fields, 'recipients') ?? missing('recipients');
  const userIds = parseIdentityList(wire, recipients, {
    property: 'recipients',
    most: limits.notificationRecipients,
  });
  if (userIds.length === 0) invalid('recipients', 'must name at least one user.');
  return { userIds, notification: parseNotification(fields['notification']) ?? missing('notification') };
}
