import type { Event } from '@parley/proto/parley/event/v1/event_pb';

/** A user's unread count in a conversation, and the newest message that they see. */
export type UnreadUpdate = { unread: number; lastMessageId: string | undefined };

type Count = {
  /** Undefined until fetched. */
  unread: number | undefined;
  /** The change number at which `unread` is valid. */
  seq: number;
  /** Change numbers of unread messages that arrived during the fetch. */
  later: number[];
  lastMessageId: string | undefined;
  /** The change number at which `lastMessageId` is valid. */
  lastSeq: number;
};

/** Unread counts of connected users in conversations: fetched once, at a change number, and then updated by events. */
export class UnreadCounts {
  readonly #conversations = new Map<string, Map<string, Count>>();
  readonly #conversationsOf = new Map<string, Set<string>>();

  /** Forgets a user who has no socket here any more, and whose events are not received. */
  forgetUser(appId: string, userId: string): void {
    const user = `${appId}/${userId}`;
    for (const key of this.#conversationsOf.get(user) ?? []) {
      const counts = this.#conversations.get(key);
      counts?.delete(userId);
      if (counts?.size === 0) this.#conversations.delete(key);
    }
    this.#conversationsOf.delete(user);
  }

  /** Forgets all counts, since change numbers are assigned again. */
  clear(): void {
    this.#conversations.clear();
    this.#conversationsOf.clear();
  }

  /** The user's count; undefined when it must be fetched first. */
  known(event: Pick<Event, 'appId' | 'conversationId'>, userId: string): UnreadUpdate | undefined {
    const count = this.#conversations.get(keyOf(event.appId, event.conversationId))?.get(userId);
    if (count?.unread === undefined) return undefined;
    return { unread: count.unread, lastMessageId: count.lastMessageId };
  }

  /** A message was sent to this user. Returns their count after it; undefined when it must be fetched, or a newer message is known. */
  messageCreated(event: Event, userId: string): number | undefined {
    if (event.body.case !== 'messageCreated') return undefined;
    const { message } = event.body.value;
    const count = this.#countOf(event, userId);
    if (event.seq > count.seq) this.#add(count, event, userId);
    return count.lastMessageId === message?.id ? count.unread : undefined;
  }

  #add(count: Count, event: Event, userId: string): void {
    if (event.body.case !== 'messageCreated') return;
    const { message, contraryUserIds } = event.body.value;
    const isLow = contraryUserIds.includes(userId) !== message?.low;
    const counts = !isLow && message?.sender?.userId !== userId;
    if (counts && count.unread === undefined) count.later.push(event.seq);
    else if (counts && count.unread !== undefined) count.unread += 1;
    if (count.unread !== undefined) count.seq = event.seq;
    takeLast(count, event.seq, message?.id);
  }

  /** Sets the count that the event contains. */
  set(event: Event, userId: string, unread: number): void {
    const count = this.#countOf(event, userId);
    if (event.seq < count.seq) return;
    count.unread = unread;
    count.seq = event.seq;
    count.later = [];
  }

  /** Invalidates a count that changed in a way only messaging can compute. */
  invalidate(event: Event, userId: string): void {
    this.#conversations.get(keyOf(event.appId, event.conversationId))?.delete(userId);
  }

  /**
   * Begins a fetch of a user's count. The returned function takes the fetched count over, and returns undefined if it was invalidated or
   * forgotten meanwhile.
   */
  begin(
    { appId, conversationId }: Pick<Event, 'appId' | 'conversationId'>,
    userId: string,
  ): (unread: number, seq: number, lastMessageId: string) => UnreadUpdate | undefined {
    const count = this.#countOf({ appId, conversationId }, userId);
    return (unread, seq, lastMessageId) => {
      if (this.#conversations.get(keyOf(appId, conversationId))?.get(userId) !== count) return undefined;
      if (count.unread === undefined) {
        const later = count.later.filter((heard) => heard > seq);
        count.unread = unread + later.length;
        count.seq = Math.max(seq, later.at(-1) ?? 0);
        count.later = [];
      }
      takeLast(count, seq, lastMessageId || undefined);
      return { unread: count.unread, lastMessageId: count.lastMessageId };
    };
  }

  #countOf({ appId, conversationId }: Pick<Event, 'appId' | 'conversationId'>, userId: string): Count {
    const key = keyOf(appId, conversationId);
    let counts = this.#conversations.get(key);
    if (!counts) this.#conversations.set(key, (counts = new Map()));
    let count = counts.get(userId);
    if (count) return count;
    count = { unread: undefined, seq: 0, later: [], lastMessageId: undefined, lastSeq: 0 };
    counts.set(userId, count);
    const user = `${appId}/${userId}`;
    const keys = this.#conversationsOf.get(user);
    if (keys) keys.add(key);
    else this.#conversationsOf.set(user, new Set([key]));
    return count;
  }
}

/** Sets the newest message at a change, unless a later change is known. */
function takeLast(count: Count, seq: number, lastMessageId: string | undefined): void {
  if (count.lastSeq > seq) return;
  count.lastMessageId = lastMessageId;
  count.lastSeq = seq;
}

function keyOf(appId: string, conversationId: string): string {
  return `${appId}/${conversationId}`;
}
