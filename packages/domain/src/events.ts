import type { Event } from '@parley/proto/parley/event/v1/event_pb';

export { maskOf, shardOf, shardsOfMask, virtualShard, VIRTUAL_SHARDS } from './events/shards.ts';
export { splitBatches } from './events/batches.ts';

type EventCase = NonNullable<Event['body']['case']>;

/** Named so that `event.*.conversation.*` and the like select what belongs together. */
const EVENT_KINDS = {
  conversationCreated: 'conversation.created',
  conversationUpdated: 'conversation.updated',
  conversationDeleted: 'conversation.deleted',
  conversationHidden: 'conversation.hidden',
  messageCreated: 'message.created',
  messageDeleted: 'message.deleted',
  messageHidden: 'message.hidden',
  messagePartsChanged: 'message.parts_changed',
  receiptRecorded: 'receipt.created',
  allRead: 'receipt.all_read',
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
} as const satisfies Record<EventCase, string>;

export type EventKind = (typeof EVENT_KINDS)[EventCase];

/** Fails with a TypeError for an event without a body that this process knows. */
export function eventKind(event: Pick<Event, 'body'>): EventKind {
  if (!event.body.case) throw new TypeError('an event without a known body has no kind');
  return EVENT_KINDS[event.body.case];
}

/** Where an event is published for good. */
export function durableSubject(event: Pick<Event, 'appId' | 'body'>): string {
  return `event.${event.appId}.${eventKind(event)}`;
}

/** The app and the kind that a durable subject names. */
export function parseDurableSubject(subject: string): { appId: string; kind: string } {
  const [, appId = '', ...kind] = subject.split('.');
  return { appId, kind: kind.join('.') };
}

/**
 * Those of durable subjects that are of an app which `listApps` gives back, or of a kind that matters whatever the app.
 */
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
 * What is told live: events; the numbers of conversations that changed a moment ago, and other events once more, so that
 * one that was lost is noticed; typing; presence; that lists of followed users changed.
 */
export type LiveChannel = 'event' | 'heads' | 'again' | 'signal' | 'presence' | 'following';

/** Where gateways hear of things at once. */
export function liveSubject(appId: string, shard: number, channel: LiveChannel): string {
  return `live.${appId}.${shard}.${channel}`;
}
