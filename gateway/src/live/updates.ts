import type { Client } from '@connectrpc/connect';
import type { View } from '@parley/domain/json/view';
import { conversationReference } from '@parley/domain/json/conversation';
import type { Clock } from '@parley/kit/clock';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { frameBody, type FrameBody } from '../socket/frame.ts';
import type { Hub } from './hub.ts';
import { UnreadCounts, type UnreadUpdate } from './unread.ts';

/** Updates of a conversation wait this long for others to join them; completions 6 allows 50 ms. */
const coalesceMs = 25;
const retryMs = 250;
const maxPairsPerFetch = 1000;

export type Pair = { appId: string; conversationId: string; userId: string; withLastMessage: boolean };

/** What the unread number of one user in one conversation has to follow. */
export type UpdateSink = {
  /** A message was sent to the user. */
  messageCreated(event: Event, userId: string): void;
  /** The event tells the user's unread number. */
  unreadIs(event: Event, userId: string, unread: number): void;
  /** What the user sees changed in a way that only the service can count. */
  changed(event: Event, userId: string): void;
  /** The same, and the user need not be told now. */
  forget(event: Event, userId: string): void;
};

/** Tells sockets of a conversation's newest message and unread number, at most once a tick. */
export type ConversationUpdates = UpdateSink & {
  forgetUser(appId: string, userId: string): void;
  stop(): void;
};

type Options = {
  messaging: Client<typeof MessagingService>;
  hub: Hub;
  view: View;
  clock: Clock;
  failed(error: unknown): void;
};

export const createConversationUpdates = ({
  messaging,
  hub,
  view,
  clock,
  failed,
}: Options): ConversationUpdates => {
  const counts = new UnreadCounts();
  let dirty = new Map<string, Pair>();
  let cancel: (() => void) | undefined;

  // Pairs whose number is being fetched, and when one that was fetched was told: the next update of the pair waits for a
  // tick of its own.
  const toldAt = new Map<string, number>();
  const fetching = new Set<string>();

  const schedule = (afterMs: number): void => {
    cancel ??= clock.setTimer(afterMs, () => {
      cancel = undefined;
      flush();
    });
  };

  const put = (pair: Pair): void => {
    const key = keyOf(pair);
    const known = dirty.get(key);
    if (known) known.withLastMessage ||= pair.withLastMessage;
    else dirty.set(key, pair);
  };

  const push = (pair: Pair, update: UnreadUpdate, bodies: Map<string, FrameBody>): void => {
    const sockets = hub.of(pair.appId, pair.userId);
    if (!sockets) return;
    const key = `${pair.conversationId} ${update.unread} ${pair.withLastMessage ? update.lastMessageId : ''}`;
    let body = bodies.get(key);
    if (!body) bodies.set(key, (body = updateBody(view, pair, update)));
    for (const socket of sockets) socket.push('change', body);
  };

  const fetch = async (pairs: Pair[]): Promise<void> => {
    const settled = pairs.map((pair) => counts.begin(pair.appId, pair.conversationId, pair.userId));
    const { results } = await messaging.getUnreadCounts({ items: pairs });
    const bodies = new Map<string, FrameBody>();
    results.forEach((result, index) => {
      const pair = pairs[index];
      const update = settled[index]?.(result.unreadMessageCount, result.seq, result.lastMessageId);
      // Forgotten meanwhile: what it says is not the user's any more.
      if (!pair || !update || !fetching.has(keyOf(pair))) return;
      push(pair, update, bodies);
      toldAt.set(keyOf(pair), clock.now());
      schedule(coalesceMs);
    });
  };

  const fetchLater = (pairs: Pair[]): void => {
    const keys = pairs.map(keyOf);
    for (const key of keys) fetching.add(key);
    fetch(pairs)
      .catch((error: unknown) => {
        failed(error);
        pairs.forEach(put);
        schedule(retryMs);
      })
      .finally(() => keys.forEach((key) => fetching.delete(key)));
  };

  const flush = (): void => {
    const pairs = [...dirty.values()];
    dirty = new Map();
    const bodies = new Map<string, FrameBody>();
    let unknown: Pair[] = [];
    const early = clock.now() - coalesceMs;
    for (const [key, at] of toldAt) if (at <= early) toldAt.delete(key);
    if (toldAt.size + fetching.size > 0) schedule(coalesceMs);
    for (const pair of pairs) {
      if (!hub.of(pair.appId, pair.userId)) continue;
      const key = keyOf(pair);
      if (toldAt.has(key) || fetching.has(key)) {
        put(pair);
        continue;
      }
      const update = counts.known(pair, pair.userId);
      if (update && !(pair.withLastMessage && update.lastMessageId === undefined)) push(pair, update, bodies);
      else if (unknown.push(pair) >= maxPairsPerFetch) {
        fetchLater(unknown);
        unknown = [];
      }
    }
    if (unknown.length > 0) fetchLater(unknown);
  };

  const mark = (event: Event, userId: string, withLastMessage: boolean): void => {
    put({ appId: event.appId, conversationId: event.conversationId, userId, withLastMessage });
    schedule(coalesceMs);
  };

  return {
    messageCreated(event, userId) {
      counts.messageCreated(event, userId);
      mark(event, userId, true);
    },
    unreadIs(event, userId, unread) {
      counts.set(event, userId, unread);
      mark(event, userId, false);
    },
    changed(event, userId) {
      counts.invalidate(event, userId);
      mark(event, userId, true);
    },
    forget(event, userId) {
      counts.invalidate(event, userId);
      const key = keyOf({ appId: event.appId, conversationId: event.conversationId, userId });
      dirty.delete(key);
      fetching.delete(key);
    },
    forgetUser: (appId, userId) => counts.forgetUser(appId, userId),
    stop: () => cancel?.(),
  };
};

const keyOf = ({ appId, conversationId, userId }: Omit<Pair, 'withLastMessage'>): string =>
  `${appId}/${conversationId}/${userId}`;

/** The `update Conversation` packet of one user. */
export const updateBody = (view: View, pair: Pair, update: UnreadUpdate): FrameBody => {
  const operations: unknown[] = [
    { operation: 'set', property: 'unread_message_count', value: update.unread },
  ];
  if (pair.withLastMessage) {
    const id = update.lastMessageId === undefined ? null : view.wire.uri('messages', update.lastMessageId);
    operations.unshift({ operation: 'set', property: 'last_message', id });
  }
  const object = {
    type: 'Conversation',
    ...conversationReference({ ...view, appId: pair.appId }, pair.conversationId),
  };
  return frameBody({ operation: 'update', object, data: operations });
};
