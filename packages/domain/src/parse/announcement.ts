import { invalid, optional, parseObject, missing } from './fields.ts';
import { parseIdentityList } from './identity-refs.ts';
import { readServerMessage, type MessageInput } from './message.ts';
import type { PartRules } from './part.ts';
import { parseRequestId } from './id.ts';

export type AnnouncementInput = MessageInput & {
  senderId: string;
  /** User ids, each once. */
  recipients: string[];
};

/**
 * Fails with missing_property, invalid_property, invalid_request_id, invalid_request. A word such as `all` is not accepted as a list of
 * recipients. docs/protocol/announcements.md#send-an-announcement
 */
export function parseAnnouncement(rules: PartRules, body: unknown): AnnouncementInput {
  const { wire } = rules;
  const fields = parseObject(body);
  const list = optional(fields, 'recipients') ?? missing('recipients');
  if (!Array.isArray(list)) return invalid('recipients', 'must be a list of identities.');
  if (list.length === 0) return invalid('recipients', 'must name at least one identity.');
  const recipients = parseIdentityList(wire, list, { property: 'recipients' });
  const id = parseRequestId(wire, 'announcements', fields);
  const { senderId, parts, notification } = readServerMessage(rules, fields, { id, prefix: '' });
  const input: AnnouncementInput = { senderId, parts, recipients };
  if (id !== undefined) input.id = id;
  if (notification) input.notification = notification;
  return input;
}
