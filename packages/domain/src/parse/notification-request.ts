import type { Notification } from '@parley/proto/parley/messaging/v1/message_pb';
import { limits } from '@parley/contract/limits';
import type { Wire } from '../wire.ts';
import type { JsonObject } from '@bufbuild/protobuf';
import { checkConveyable } from './conveyable.ts';
import { invalid, isFields, missing, optional, parseObject, type Fields } from './fields.ts';
import { parseIdentityList } from './identity-refs.ts';
import { parseNotification } from './notification.ts';

export type NotificationRequest = {
  userIds: string[];
  notification: Notification;
  /** 0: not said. */
  ttlInSeconds: number;
  data?: JsonObject;
};

/**
 * A push without a message. Fails with missing_property, invalid_property, invalid_request.
 * docs/protocol/messages.md#notifications
 */
export function parseNotificationRequest(wire: Wire, body: unknown): NotificationRequest {
  const fields = parseObject(body);
  const recipients = optional(fields, 'recipients') ?? missing('recipients');
  const userIds = parseIdentityList(wire, recipients, {
    property: 'recipients',
    most: limits.notificationRecipients,
  });
  if (userIds.length === 0) invalid('recipients', 'must name at least one user.');
  const notification = parseNotification(fields['notification']) ?? missing('notification');
  const data = readData(fields);
  return { userIds, notification, ttlInSeconds: readTtl(fields), ...(data && { data }) };
}

/** 0: not said. */
function readTtl(fields: Fields): number {
  const ttl = optional(fields, 'ttl');
  if (ttl === undefined) return 0;
  const fits = Number.isInteger(ttl) && Number(ttl) >= 1 && Number(ttl) <= limits.pushTtlInSeconds;
  return fits ? Number(ttl) : invalid('ttl', `must be a whole number from 1 to ${limits.pushTtlInSeconds}.`);
}

function readData(fields: Fields): JsonObject | undefined {
  const data = optional(fields, 'data');
  if (data === undefined) return undefined;
  if (!isFields(data)) return invalid('data', 'must be an object.');
  checkConveyable({ data });
  if (Buffer.byteLength(JSON.stringify(data)) > limits.pushDataBytes) invalid('data', 'is too large.');
  return data as JsonObject;
}
