import type { Client } from '@connectrpc/connect';
import type { View } from '@parley/domain/json/view';
import type { Clock } from '@parley/kit/runtime/clock';
import { guardListener } from '@parley/kit/runtime/guard-listener';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { FrameBody } from '../../connection/frame.ts';
import type { UpdateSink } from '../render/context.ts';
import type { PacketSink } from '../render/recipients.ts';
import { keyOf, PendingUpdates, type PendingUpdate } from './pending-updates.ts';
import { createPushUpdate, type PushUpdate } from './push-update.ts';
import { UnreadCounts } from './unread-counts.ts';

/** An update waits at most this long for later ones to join it; the protocol allows 50 ms: docs/protocol/websocket.md#changes */
const COALESCE_MS = 40;
const RETRY_MS = 250;
const MAX_PAIRS_PER_FETCH = 1000;

/** Pushes patches of a conversation, its newest message and the user's unread count, gathered for up to COALESCE_MS. */
export type ConversationUpdates = UpdateSink & {
  forgetUser(appId: string, userId: string): void;
  /** Drops all pending updates, since change numbers are assigned again. */
  clear(): void;
  stop(): void;
};

type Options = {
  messaging: Client<typeof MessagingService>;
  hub: { of(appId: string, userId: string): ReadonlySet<PacketSink> | undefined };
  view: View;
  clock: Clock;
  failed(error: unknown): void;
};

type Loop = Pick<Options, 'messaging' | 'hub' | 'failed'> & {
  counts: UnreadCounts;
  pending: PendingUpdates;
  push: PushUpdate;
  /** Repeats failed fetches after RETRY_MS. */
  retryLater(): void;
};

export function createConversationUpdates(options: Options): ConversationUpdates {
  const { clock, failed } = options;
  const counts = new UnreadCounts();
  const pending = new PendingUpdates();
  const loop: Loop = { ...options, counts, pending, push: createPushUpdate(options), retryLater };
  let cancelFlush: (() => void) | undefined;
  let cancelRetry: (() => void) | undefined;

  function flushLater(): void {
    cancelFlush ??= clock.setTimer(COALESCE_MS, () => {
      cancelFlush = undefined;
      guardListener(() => flush(loop), failed);
    });
  }

  function retryLater(): void {
    cancelRetry ??= clock.setTimer(RETRY_MS, () => {
      cancelRetry = undefined;
      pending.revive();
      guardListener(() => flush(loop), failed);
    });
  }

  function add(event: Event, userId: string, more: Partial<PendingUpdate>): void {
    const { appId, conversationId } = event;
    pending.add({ appId, conversationId, userId, ...EMPTY, ...more });
    flushLater();
  }

  return {
    patched(event, { userId, sockets }, steps) {
      if (steps.length === 0) return;
      add(event, userId, { patches: [{ seq: event.seq, steps, sockets: new Set(sockets) }] });
    },
    messageCreated(event, userId, told) {
      const unread = counts.messageCreated(event, userId);
      if (unread === undefined || !told) add(event, userId, { ...NEWEST, forLean: unread === undefined });
      return unread;
    },
    unreadIs(event, userId, unread) {
      counts.set(event, userId, unread);
      add(event, userId, { withUnread: true, forLean: true });
    },
    changed(event, userId) {
      counts.invalidate(event, userId);
      add(event, userId, { ...NEWEST, forLean: true });
    },
    forget(event, userId) {
      counts.invalidate(event, userId);
      const { appId, conversationId } = event;
      const left = pending.takeAll(keyOf({ appId, conversationId, userId }));
      for (const update of left) loop.push(update, undefined, new Map());
    },
    forgetUser: (appId, userId) => counts.forgetUser(appId, userId),
    clear() {
      counts.clear();
      pending.clear();
    },
    stop() {
      cancelFlush?.();
      cancelRetry?.();
    },
  };
}

const NEWEST = { withUnread: true, withLastMessage: true } as const;
const EMPTY = { patches: [], withUnread: false, withLastMessage: false, forLean: false } as const;

/** Pushes the updates that are due, and fetches their missing unread counts. */
function flush(loop: Loop): void {
  const { hub, counts, pending, push } = loop;
  const bodies = new Map<string, FrameBody>();
  let unknown: PendingUpdate[] = [];
  for (const update of pending.takeDue(({ appId, userId }) => hub.of(appId, userId) !== undefined)) {
    const unread = update.withUnread ? counts.known(update, update.userId) : undefined;
    const isKnown = unread && !(update.withLastMessage && unread.lastMessageId === undefined);
    if (!update.withUnread || isKnown) push(update, unread, bodies);
    else if (pending.hasFailed(update)) {
      // Its unread count is fetched with that of the failed update.
      push(update, undefined, bodies);
      pending.noteFailed(update);
    } else if (unknown.push(update) >= MAX_PAIRS_PER_FETCH) {
      fetchLater(loop, unknown);
      unknown = [];
    }
  }
  if (unknown.length > 0) fetchLater(loop, unknown);
}

function fetchLater(loop: Loop, updates: PendingUpdate[]): void {
  loop.pending.beginFetch(updates);
  fetchCounts(loop, updates)
    .catch((error: unknown) => {
      loop.failed(error);
      noteFailed(loop, updates);
    })
    .finally(() => {
      // A late update does not wait for more to join it.
      if (loop.pending.endFetch(updates)) guardListener(() => flush(loop), loop.failed);
    });
}

async function fetchCounts(loop: Loop, updates: PendingUpdate[]): Promise<void> {
  const { messaging, counts, pending, push } = loop;
  const settled = updates.map((update) => counts.begin(update, update.userId));
  const { results } = await messaging.getUnreadCounts({ items: updates.map(itemOf) });
  const bodies = new Map<string, FrameBody>();
  results.forEach(({ unreadMessageCount, seq, lastMessageId }, index) => {
    const update = updates[index];
    const unread = settled[index]?.(unreadMessageCount, seq, lastMessageId);
    // Otherwise the user left the conversation, or it was deleted for them, during the fetch.
    if (update && pending.isFetching(update)) push(update, unread, bodies);
  });
}

/** Pushes the patches without the counts that could not be fetched, and fetches the counts later. */
function noteFailed({ pending, push, retryLater }: Loop, updates: PendingUpdate[]): void {
  for (const update of updates) {
    if (!pending.isFetching(update)) continue;
    push(update, undefined, new Map());
    pending.noteFailed(update);
  }
  retryLater();
}

function itemOf({ appId, conversationId, userId, withLastMessage }: PendingUpdate) {
  return { appId, conversationId, userId, withLastMessage };
}
