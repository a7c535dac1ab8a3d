import type { Event } from '@parley/proto/parley/event/v1/event_pb';

/** What a user's client is told of a conversation after a message: its newest message and their unread number. */
export type UnreadUpdate = { unread: number; lastMessageId: string | undefined };

type Count = {
  /** Undefined until fetched. */
  unread: number | undefined;
  /** Change number it is true at. */
  seq: number;
  /** Messages heard while it was being fetched: change numbers of those that count. */
  later: number[];
  lastMessageId: string | undefined;
  /** Change number that `lastMessageId` is true at. */
  lastSeq: number;
};

/** The unread numbers of connected (user, conversation) pairs, fetched once at a known change number, then moved by events. */
export class UnreadCounts {
  readonly #conversations = new Map<string, Map<string, Count>>();
  readonly #conversationsOf = new Map<string, Set<string>>();

  /** Forgets a user without sockets: nobody follows their events here. */
  forgetUser(appId: string, userId: string): void {
    const user = `${appId}/${userId}`;
    for (const key of this.#conversationsOf.get(user) ?? []) {
      const counts = this.#conversations.get(key);
      counts?.delete(userId);
      if (counts?.size === 0) this.#conversations.delete(key);
    }
    this.#conversationsOf.delete(user);
  }

  /** The pair's count, or undefined when it has to be fetched first. */
  known(event: Pick<Event, 'appId' | 'conversationId'>, userId: string): UnreadUpdate | undefined {
    const count = this.#conversations.get(keyOf(event.appId, event.conversationId))?.get(userId);
    if (count?.unread === undefined) return undefined;
    return { unread: count.unread, lastMessageId: count.lastMessageId };
  }

  /** A message was sent to this user. */
  messageCreated(event: Event, userId: string): void {
    if (event.body.case !== 'messageCreated') return;
    const count = this.#countOf(event, userId);
    if (event.seq <= count.seq) return;
    const { message, contraryUserIds } = event.body.value;
    const isLow = contraryUserIds.includes(userId) !== message?.low;
    const counts = !isLow && message?.sender?.userId !== userId;
    if (counts && count.unread === undefined) count.later.push(event.seq);
    else if (counts && count.unread !== undefined) count.unread += 1;
    if (count.unread !== undefined) count.seq = event.seq;
    takeLast(count, event.seq, message?.id);
  }

  /** The event itself tells the number. */
  set(event: Event, userId: string, unread: number): void {
    const count = this.#countOf(event, userId);
    if (event.seq < count.seq) return;
    count.unread = unread;
    count.seq = event.seq;
    count.later = [];
  }

  /** The event changed the number in a way that only the service can tell. */
  invalidate(event: Event, userId: string): void {
    this.#conversations.get(keyOf(event.appId, event.conversationId))?.delete(userId);
  }

  /** Begins a fetch of a user's number. The result takes over what was fetched, unless the number was invalidated meanwhile. */
  begin(
    { appId, conversationId }: Pick<Event, 'appId' | 'conversationId'>,
    userId: string,
  ): (unread: number, seq: number, lastMessageId: string) => UnreadUpdate {
    const count = this.#countOf({ appId, conversationId }, userId);
    return (unread, seq, lastMessageId) => {
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

/** The newest message as of a change, unless a later one is known already. */
function takeLast(count: Count, seq: number, lastMessageId: string | undefined): void {
  if (count.lastSeq > seq) return;
  count.lastMessageId = lastMessageId;
  count.lastSeq = seq;
}

function keyOf(appId: string, conversationId: string): string {
  return `${appId}/${conversationId}`;
}
