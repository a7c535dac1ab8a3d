import { parseDurableSubject, type EventKind } from '../events.ts';

/**
 * Whether the publishing service can publish a kind of event again from a log, for a week: messaging from the change log, the others from
 * their event logs. docs/events.md#order-ids-and-duplicates
 */
const LOGGED = {
  'conversation.created': true,
  'conversation.updated': true,
  'conversation.deleted': true,
  'conversation.hidden': true,
  'conversation.relisted': true,
  'restriction.changed': true,
  'message.created': true,
  'message.deleted': true,
  'message.hidden': true,
  'message.parts_changed': true,
  'message.updated': true,
  'reaction.changed': true,
  'receipt.created': true,
  'receipt.all_read': true,
  'receipt.all_delivered': true,
  'identity.changed': true,
  'identity.erased': true,
  'identity.block_changed': true,
  'app.deleted': true,
  'announcement.created': true,
  'session.ended': false,
  'announcement.received': false,
  'announcement.receipt': false,
  'announcement.deleted': false,
  'notification.requested': false,
  'push.requested': false,
  'push.settled': false,
} as const satisfies Record<EventKind, boolean>;

export function isLogged(subject: string): boolean {
  const { kind } = parseDurableSubject(subject);
  return (LOGGED as Readonly<Record<string, boolean>>)[kind] ?? false;
}
