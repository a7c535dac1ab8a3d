import { messageObject } from '@parley/domain/json/change/message';
import { hiddenNamesOf, ownChangesOf, reactionSteps } from '@parley/domain/json/change/reactions';
import type { View } from '@parley/domain/json/view';
import type { Clock } from '@parley/kit/runtime/clock';
import { guardListener } from '@parley/kit/runtime/guard-listener';
import type { Event, HiddenNames, ReactionsChanged } from '@parley/proto/parley/event/v1/event_pb';
import type { MessageReaction } from '@parley/proto/parley/messaging/v1/message_pb';
import { frameBody, type FrameBody } from '../../connection/frame.ts';
import type { ReactionSink } from '../render/context.ts';
import type { PacketSink } from '../render/recipients.ts';

/** The longest time for which changes of the reactions to a message are gathered. docs/protocol/websocket.md#changes */
const GATHER_MS = 250;

/** Pushes changes of reactions, gathered: the last value of each key wins. */
export type ReactionUpdates = ReactionSink & {
  /** Change numbers begin anew: nothing of what was gathered is pushed. */
  clear(): void;
  stop(): void;
};

type Options = { view: View; clock: Clock; failed(error: unknown): void };

/** What the sockets have yet to learn about the reactions to one message. */
type Pending = {
  appId: string;
  conversationId: string;
  messageId: string;
  seq: number;
  /** By key: the reactions, and who is not told of some names. */
  keys: Map<string, { reaction: MessageReaction; hiddenNames: readonly HiddenNames[] }>;
  users: Map<string, UserPending>;
};

/** `own`: whether the user reacts now, by the keys of their own changes. */
type UserPending = { sockets: Set<PacketSink>; own: Map<string, boolean> };

export function createReactionUpdates({ view, clock, failed }: Options): ReactionUpdates {
  /** By conversation and message id. */
  let pending = new Map<string, Map<string, Pending>>();
  let cancelTimer: (() => void) | undefined;

  function flush(): void {
    cancelTimer = undefined;
    const due = pending;
    pending = new Map();
    for (const messages of due.values()) pushAll(messages.values());
  }

  function pushAll(due: Iterable<Pending>): void {
    for (const one of due) guardListener(() => push(view, one), failed);
  }

  return {
    changed(event, reacted, recipients) {
      const key = keyOfConversation(event);
      const messages = pending.get(key) ?? new Map<string, Pending>();
      pending.set(key, messages);
      const one = messages.get(reacted.messageId) ?? newPending(event, reacted);
      messages.set(reacted.messageId, one);
      add(one, event, reacted);
      for (const { userId, sockets } of recipients) {
        const user = one.users.get(userId) ?? { sockets: new Set(), own: new Map<string, boolean>() };
        one.users.set(userId, user);
        for (const socket of sockets) user.sockets.add(socket);
      }
      for (const userId of new Set(reacted.changes.map(({ user }) => user?.userId ?? ''))) {
        const own = one.users.get(userId)?.own;
        if (own) for (const [name, isOwn] of ownChangesOf(reacted, userId)) own.set(name, isOwn);
      }
      cancelTimer ??= clock.setTimer(GATHER_MS, flush);
    },
    forget(event, userId) {
      for (const one of pending.get(keyOfConversation(event))?.values() ?? []) {
        const user = one.users.get(userId);
        if (!user) continue;
        one.users.delete(userId);
        pushAll([{ ...one, users: new Map([[userId, user]]) }]);
      }
    },
    clear: () => pending.clear(),
    stop: () => cancelTimer?.(),
  };
}

function keyOfConversation({ appId, conversationId }: Event): string {
  return `${appId}/${conversationId}`;
}

function newPending({ appId, conversationId, seq }: Event, { messageId }: ReactionsChanged): Pending {
  return { appId, conversationId, messageId, seq, keys: new Map(), users: new Map() };
}

function add(pending: Pending, { seq }: Event, { reactions, hiddenNames }: ReactionsChanged): void {
  // An event that is repaired may come a second time, behind later ones.
  if (seq < pending.seq) return;
  pending.seq = seq;
  for (const reaction of reactions) pending.keys.set(reaction.key, { reaction, hiddenNames });
}

function push(view: View, pending: Pending): void {
  const entries = [...pending.keys.values()];
  const reactions = entries.map(({ reaction }) => reaction);
  const blocking = new Set(entries.flatMap(({ hiddenNames }) => hiddenNames.map(({ userId }) => userId)));
  let common: FrameBody | undefined;
  for (const [userId, { sockets, own }] of pending.users) {
    const isCommon = own.size === 0 && !blocking.has(userId);
    const hidden = isCommon ? NOBODY : hiddenFor(entries, userId);
    const body = isCommon
      ? (common ??= bodyOf(view, pending, { reactions, hidden, own }))
      : bodyOf(view, pending, { reactions, hidden, own });
    for (const socket of sockets) socket.push('change', body);
  }
}

const NOBODY: ReadonlySet<string> = new Set();

function hiddenFor(entries: readonly { hiddenNames: readonly HiddenNames[] }[], userId: string): Set<string> {
  return new Set(entries.flatMap(({ hiddenNames }) => [...hiddenNamesOf(hiddenNames, userId)]));
}

function bodyOf(view: View, pending: Pending, state: Parameters<typeof reactionSteps>[1]): FrameBody {
  const { appId, conversationId, messageId, seq } = pending;
  const object = messageObject({ ...view, appId }, conversationId, messageId);
  const data = reactionSteps(view.wire, state);
  const about = { operation: 'update' as const, id: messageId, within: [conversationId], seq };
  return frameBody({ operation: 'update', object, data }, about);
}
