import type { Notification } from '@parley/proto/parley/messaging/v1/message_pb';
import { limits } from '@parley/contract/limits';
import { countCharacters } from '../user-id.ts';
import { invalid, isFields, optional, optionalText } from './fields.ts';

const TEXT_PROPERTIES = ['title', 'text', 'sound'] as const;

/**
 * Undefined without one: no push. A badge is refused, since it is computed for each recipient.
 * docs/protocol/records.md#notification
 */
export function parseNotification(value: unknown, prefix = ''): Notification | undefined {
  if (value === undefined || value === null) return undefined;
  const property = `${prefix}notification`;
  if (!isFields(value)) return invalid(property, 'must be an object.');
  if (optional(value, 'badge') !== undefined) invalid(`${property}.badge`, 'cannot be supplied.');
  const notification: Notification = { $typeName: 'parley.messaging.v1.Notification' };
  for (const name of TEXT_PROPERTIES) {
    const text = optionalText(value, name, `${property}.${name}`);
    if (text === undefined) continue;
    if (countCharacters(text) > limits.notificationText) invalid(`${property}.${name}`, 'is too long.');
    notification[name] = text;
  }
  return notification;
}
