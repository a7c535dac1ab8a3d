import type { Event } from '@parley/proto/parley/event/v1/event_pb';

export { maskOf, shardOf, shardsOfMask, virtualShard, VIRTUAL_SHARDS } from './events/shards.ts';

type EventCase = NonNullable<Event['body']['case']>;

/** Named so that a subject such as `event.*.conversation.*` selects a family of events. */
const EVENT_KINDS = {
  conversationCreated: 'conversation.created',
  conversationUpdated: 'conversation.updated',
  conversationDeleted: 'conversation.deleted',
  conversationHidden: 'conversation.hidden',
  conversationRelisted: 'conversation.relisted',
  messageCreated: 'message.created',
  messageDeleted: 'message.deleted',
  messageHidden: 'message.hidden',
  messagePartsChanged: 'message.parts_changed',
  messageUpdated: 'message.updated',
  reactionsChanged: 'reaction.changed',
  receiptRecorded: 'receipt.created',
  allRead: 'receipt.all_read',
  allDelivered: 'receipt.all_delivered',
  restrictionChanged: 'restriction.changed',
  identityChanged: 'identity.changed',
  userErased: 'identity.erased',
  sessionsEnded: 'session.ended',
  blockChanged: 'identity.block_changed',
  appDeleted: 'app.deleted',
  announcementCreated: 'announcement.created',
  announcementReceived: 'announcement.received',
  announcementReceiptRecorded: 'announcement.receipt',
  announcementDeleted: 'announcement.deleted',
  notificationRequested: 'notification.requested',
  pushRequested: 'push.requested',
  pushSettled: 'push.settled',
} as const satisfies Record<EventCase, string>;

export type EventKind = (typeof EVENT_KINDS)[EventCase];

/** Fails with a TypeError for an event whose body this process does not know. */
export function eventKind(event: Pick<Event, 'body'>): EventKind {
  if (!event.body.case) throw new TypeError('an event without a known body has no kind');
  return EVENT_KINDS[event.body.case];
}

/** The subject of a durable event. */
export function durableSubject(event: Pick<Event, 'appId' | 'body'>): string {
  return `event.${event.appId}.${eventKind(event)}`;
}

/** The app and the kind in a durable subject. */
export function parseDurableSubject(subject: string): { appId: string; kind: string } {
  const [, appId = '', ...kind] = subject.split('.');
  return { appId, kind: kind.join('.') };
}

/** Selects durable subjects by app, as returned by `listApps`, or by a kind in `always`. */
export async function chooseSubjects(
  subjects: readonly string[],
  { always, listApps }: { always: readonly EventKind[]; listApps(appIds: string[]): Promise<string[]> },
): Promise<Set<string>> {
  const parsed = subjects.map((subject) => ({ subject, ...parseDurableSubject(subject) }));
  const kept = (kind: string): boolean => (always as readonly string[]).includes(kind);
  const asked = parsed.filter(({ kind }) => !kept(kind)).map(({ appId }) => appId);
  const apps = new Set(asked.length > 0 ? await listApps([...new Set(asked)]) : []);
  return new Set(
    parsed.filter(({ kind, appId }) => kept(kind) || apps.has(appId)).map(({ subject }) => subject),
  );
}

/** Selects a kind, or a family like `identity.*`, of every app. */
export function eventFilter(kind: EventKind | `${string}.*`): string {
  return `event.*.${kind}`;
}

/**
 * Kinds of live messages: events; heads (`heads`) and rebroadcasts (`again`), by which gateways notice lost events; typing
 * (`signal`); presence; changes of following lists.
 */
export type LiveChannel = 'event' | 'heads' | 'again' | 'signal' | 'presence' | 'following';

/** The subject of live messages to gateways. */
export function liveSubject(appId: string, shard: number, channel: LiveChannel): string {
  return `live.${appId}.${shard}.${channel}`;
}

/**
 * The subject of hints to the push service, `parley.live.v1.WithdrawalHints`: live, for one of its replicas. It is outside `live`, all
 * subjects below which gateways receive.
 */
export const WITHDRAWAL_HINTS = 'hint.withdrawals';
