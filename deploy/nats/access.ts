import type { EventKind, LiveChannel } from '../../packages/domain/src/events.ts';

/** The permissions of a process at NATS, and nothing else. */
export type Access = {
  /** Kinds of durable events that it publishes. */
  events?: readonly EventKind[];
  /** Channels of live messages that it publishes. */
  live?: readonly LiveChannel[];
  /** Further subjects that it publishes. */
  hints?: readonly string[];
  /** Subjects of core NATS that it reads. */
  reads?: readonly string[];
  /** Durable consumers that it creates and reads: name and filter. */
  consumers?: Readonly<Record<string, string>>;
  /**
   * 'read': whether it exists; 'create': it also creates it anew after its loss; 'empty': it also deletes it, after a restore; 'change': it
   * also changes it.
   */
  stream?: 'read' | 'create' | 'empty' | 'change';
};

const APPS = 'event.*.app.deleted';
const ERASURES = 'event.*.identity.erased';

/** Permissions by the name of the process. `migration` is the Job that runs before a rollout. */
export const ACCESS: Readonly<Record<string, Access>> = {
  announcement: {
    events: ['announcement.created', 'announcement.deleted', 'announcement.receipt', 'announcement.received'],
    live: ['again', 'event'],
    consumers: { 'announcement-apps': APPS, 'announcement-erasures': ERASURES },
    stream: 'create',
  },
  content: {
    consumers: {
      'content-announcements': 'event.*.announcement.created',
      'content-apps': APPS,
      'content-conversations': 'event.*.conversation.deleted',
      'content-erasures': ERASURES,
      'content-message-deleted': 'event.*.message.deleted',
      'content-message-parts-changed': 'event.*.message.parts_changed',
    },
    stream: 'read',
  },
  export: {
    consumers: { 'export-apps': APPS, 'export-journal': 'event.>' },
    stream: 'read',
  },
  gateway: { reads: ['live.>'] },
  identity: {
    events: ['app.deleted', 'identity.block_changed', 'identity.changed', 'identity.erased', 'session.ended'],
    live: ['again', 'event', 'following', 'presence'],
    consumers: {
      'identity-announcements': 'event.*.announcement.created',
      'identity-followers': 'event.*.identity.changed',
      'identity-memberships': 'event.*.conversation.>',
    },
    stream: 'create',
  },
  messaging: {
    events: [
      'conversation.created',
      'conversation.deleted',
      'conversation.hidden',
      'conversation.relisted',
      'conversation.updated',
      'message.created',
      'message.deleted',
      'message.hidden',
      'message.parts_changed',
      'message.updated',
      'notification.requested',
      'push.requested',
      'reaction.changed',
      'receipt.all_delivered',
      'receipt.all_read',
      'receipt.created',
      'restriction.changed',
    ],
    live: ['event', 'heads', 'signal'],
    hints: ['hint.withdrawals'],
    consumers: {
      'messaging-apps': APPS,
      'messaging-identities': 'event.*.identity.>',
      'messaging-notifications': 'event.*.notification.requested',
      'messaging-pushes': 'event.*.message.created',
      'messaging-reactions': 'event.*.reaction.changed',
    },
    stream: 'empty',
  },
  migration: { stream: 'change' },
  push: {
    events: ['push.settled'],
    reads: ['hint.withdrawals'],
    consumers: {
      'push-apps': APPS,
      'push-deliveries': 'event.*.push.requested',
      'push-erasures': ERASURES,
    },
    stream: 'read',
  },
  webhook: {
    consumers: { 'webhook-apps': APPS, 'webhook-deliveries': 'event.>' },
    stream: 'read',
  },
};
