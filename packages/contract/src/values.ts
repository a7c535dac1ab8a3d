/** Names that requests and answers choose from. Parsers, schemas and documents use these lists. */

/** Statuses that a user may show. Others see `offline` for `invisible`. */
export const PRESENCE_STATUSES = ['available', 'away', 'busy', 'offline', 'invisible'] as const;

/** Ends a choice of the user: available while connected, else offline. */
export const NO_PRESENCE_CHOICE = 'auto';

/** Kinds of push services. */
export const PUSH_TOKEN_TYPES = ['apns', 'fcm', 'gcm', 'web'] as const;

/** Events that a webhook may subscribe to. docs/protocol/webhooks.md#events */
export const WEBHOOK_EVENTS = [
  'Message.created',
  'Message.updated',
  'Message.deleted',
  'MessagePart.created',
  'MessagePart.updated',
  'MessagePart.deleted',
  'Reaction.created',
  'Reaction.deleted',
  'Receipt.created',
  'Conversation.created',
  'Conversation.updated',
  'Conversation.deleted',
  'Participation.created',
  'Participation.deleted',
  'Participation.updated',
  'Restriction.created',
  'Restriction.deleted',
  'Identity.created',
  'Identity.updated',
  'Push.delivered',
  'Push.failed',
] as const;

export const WEBHOOK_STATUSES = ['unverified', 'active', 'inactive'] as const;

export const PUSH_STATUSES = ['pending', 'delivered', 'dead', 'dropped'] as const;

export const PUSH_PROVIDERS = ['web', 'fcm', 'apns'] as const;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const;

/** Deliveries that a replay may send again. */
export const REPLAYED_STATUSES = ['dead', 'delivered'] as const;

/** Kinds of events that a schedule of exports without `events` holds. */
export const USUAL_EXPORT_EVENTS = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.deleted',
  'conversation.created',
  'conversation.updated.participants',
  'conversation.updated.metadata',
  'conversation.deleted',
  'push.delivered',
  'push.failed',
] as const;

/** Kinds of events that a scheduled export may hold. docs/protocol/exports.md#scheduled-exports */
export const EXPORT_EVENTS = [
  ...USUAL_EXPORT_EVENTS,
  'conversation.updated.roles',
  'conversation.updated.settings',
  'restriction.created',
  'restriction.deleted',
  'message.updated',
  'reaction.created',
  'reaction.deleted',
] as const;

export const EXPORT_TYPES = ['historical', 'scheduled'] as const;

export const EXPORT_STATUSES = ['pending', 'executing', 'completed'] as const;

export const EXPORT_INTERVALS = ['daily', 'disabled'] as const;

/** How the AES key of an archive is encrypted with the public key. */
export const KEY_PADDINGS = ['pkcs1', 'oaep-sha256'] as const;

export const RECEIPT_TYPES = ['read', 'delivery'] as const;
