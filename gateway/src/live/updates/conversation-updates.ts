import { contain } from '@parley/kit/contain';
import type { Client } from '@connectrpc/connect';
import type { View } from '@parley/domain/json/view';
import type { Clock } from '@parley/kit/clock';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { FrameBody } from '../../connection/frame.ts';
import { createPendingUpdates, keyOf, type PendingUpdate } from './pending-updates.ts';
import type { PacketSink } from '../render/recipients.ts';
import { UnreadCounts, type UnreadUpdate } from './unread-counts.ts';
import { stateSteps, updateBody } from './update-body.ts';
import type { UpdateSink } from '../render/context.ts';

/** Updates of a conversation wait this long for others to join them; completions 6 allows 50 ms. */
const COALESCE_MS = 25;
const RETRY_MS = 250;
const MAX_PAIRS_PER_FETCH = 1000;

/** Tells sockets of a conversation's patches, its newest message and unread number, at most once a tick. */
export type ConversationUpdates = UpdateSink & {
  forgetUser(appId: string, userId: string): void;
  stop(): void;
};

type Options = {
  messaging: Client<typeof MessagingService>;
  hub: { of(appId: string, userId: string): ReadonlySet<PacketSink> | undefined };
  view: View;
  clock: Clock;
  failed(error: unknown): void;
};

export function createConversationUpdates({
  messaging,
  hub,
  view,
  clock,
  failed,
}: Options): ConversationUpdates {
  const counts = new UnreadCounts();
  const pending = createPendingUpdates();
  let cancel: (() => void) | undefined;

  // Pairs whose number is being fetched, and when one that was fetched was told: the next update of the pair waits for a
  // tick of its own.
  const toldAt = new Map<string, number>();
  const fetching = new Map<string, PendingUpdate>();

  function schedule(afterMs: number): void {
    cancel ??= clock.setTimer(afterMs, () => {
      cancel = undefined;
      contain(flush, failed);
    });
  }

  function push(pair: PendingUpdate, update: UnreadUpdate | undefined, bodies: Map<string, FrameBody>): void {
    const state = update ? stateSteps(view, pair, update) : [];
    const told = update && `${update.unread} ${pair.withLastMessage ? update.lastMessageId : ''}`;
    for (const socket of hub.of(pair.appId, pair.userId) ?? []) {
      const patches = pair.patches.filter(({ sockets }) => sockets.has(socket));
      const steps = [...patches.flatMap((patch) => patch.steps), ...state];
      if (steps.length === 0) continue;
      // Somebody who is removed is told less of a change than the others.
      const changes = patches.map((patch) => `${patch.seq}:${patch.steps.length}`).join();
      const key = `${pair.appId}/${pair.conversationId} ${changes} ${told}`;
      let body = bodies.get(key);
      if (!body) bodies.set(key, (body = updateBody(view, pair, steps)));
      socket.push('change', body);
    }
  }

  async function fetch(pairs: PendingUpdate[]): Promise<void> {
    const settled = pairs.map((pair) => counts.begin(pair.appId, pair.conversationId, pair.userId));
    const { results } = await messaging.getUnreadCounts({ items: pairs.map(itemOf) });
    const bodies = new Map<string, FrameBody>();
    results.forEach((result, index) => {
      const pair = pairs[index];
      const update = settled[index]?.(result.unreadMessageCount, result.seq, result.lastMessageId);
      // Forgotten meanwhile: what it says is not the user's any more.
      if (!pair || !update || fetching.get(keyOf(pair)) !== pair) return;
      push(pair, update, bodies);
      toldAt.set(keyOf(pair), clock.now());
      schedule(COALESCE_MS);
    });
  }

  function retry(pairs: PendingUpdate[]): void {
    for (const pair of pairs) {
      if (fetching.get(keyOf(pair)) !== pair) continue;
      push(pair, undefined, new Map());
      pending.put({ ...pair, patches: [] });
    }
    schedule(RETRY_MS);
  }

  function fetchLater(pairs: PendingUpdate[]): void {
    for (const pair of pairs) fetching.set(keyOf(pair), pair);
    fetch(pairs)
      .catch((error: unknown) => {
        failed(error);
        retry(pairs);
      })
      .finally(() => {
        for (const pair of pairs) if (fetching.get(keyOf(pair)) === pair) fetching.delete(keyOf(pair));
      });
  }

  function flush(): void {
    const bodies = new Map<string, FrameBody>();
    let unknown: PendingUpdate[] = [];
    const early = clock.now() - COALESCE_MS;
    for (const [key, at] of toldAt) if (at <= early) toldAt.delete(key);
    if (toldAt.size + fetching.size > 0) schedule(COALESCE_MS);
    for (const pair of pending.takeAll()) {
      if (!hub.of(pair.appId, pair.userId)) continue;
      const key = keyOf(pair);
      if (toldAt.has(key) || fetching.has(key)) {
        pending.put(pair);
        continue;
      }
      const update = pair.withUnread ? counts.known(pair, pair.userId) : undefined;
      const isKnown = update && !(pair.withLastMessage && update.lastMessageId === undefined);
      if (!pair.withUnread || isKnown) push(pair, update, bodies);
      else if (unknown.push(pair) >= MAX_PAIRS_PER_FETCH) {
        fetchLater(unknown);
        unknown = [];
      }
    }
    if (unknown.length > 0) fetchLater(unknown);
  }

  function mark({ appId, conversationId }: Event, userId: string, more: Partial<PendingUpdate>): void {
    const nothing = { patches: [], withUnread: false, withLastMessage: false };
    pending.put({ appId, conversationId, userId, ...nothing, ...more });
    schedule(COALESCE_MS);
  }

  return {
    patched(event, { userId, sockets }, steps) {
      if (steps.length === 0) return;
      mark(event, userId, { patches: [{ seq: event.seq, steps, sockets: new Set(sockets) }] });
    },
    messageCreated(event, userId) {
      counts.messageCreated(event, userId);
      mark(event, userId, { withUnread: true, withLastMessage: true });
    },
    unreadIs(event, userId, unread) {
      counts.set(event, userId, unread);
      mark(event, userId, { withUnread: true });
    },
    changed(event, userId) {
      counts.invalidate(event, userId);
      mark(event, userId, { withUnread: true, withLastMessage: true });
    },
    forget(event, userId) {
      counts.invalidate(event, userId);
      const key = keyOf({ appId: event.appId, conversationId: event.conversationId, userId });
      for (const pair of [fetching.get(key), pending.take(key)]) if (pair) push(pair, undefined, new Map());
      fetching.delete(key);
    },
    forgetUser: (appId, userId) => counts.forgetUser(appId, userId),
    stop: () => cancel?.(),
  };
}

function itemOf({ appId, conversationId, userId, withLastMessage }: PendingUpdate) {
  return {
    appId,
    conversationId,
    userId,
    withLastMessage,
  };
}
