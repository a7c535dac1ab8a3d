import { ANNOUNCEMENTS_WINDOW, CURSOR } from '../records/rows.ts';
import { withMark } from '../sync/apply/announcement.ts';
import { valueOf } from '../records/in-memory.ts';
import type { Context } from '../sync/context.ts';
import type { Announcement, StoredConversation, Window } from '../records/records.ts';
import type { Conversation } from './conversation.ts';
import type { Host } from './host.ts';
import { createQuery, isSameArray } from '../query/live-query.ts';
import type { Message } from './message.ts';
import { createPager, type Pager } from './pager.ts';
import type { List, PagedQuery, Query } from '../query/query.ts';
import { realId } from '../pending/act.ts';

/** Selection and order of conversations. */
export type ConversationsOptions = {
  /**
   * `lastMessage`: the conversation with the newest message first; `createdAt`: the newest conversation first. By default `lastMessage`.
   */
  readonly sort?: 'lastMessage' | 'createdAt';
  /** Leaves out conversations. */
  readonly where?: (conversation: Conversation) => boolean;
};

const LOADING: List<never> = { items: [], status: 'loading', hasOlder: false, error: undefined };

function isSameList<T>(one: List<T>, other: List<T>): boolean {
  const { items, status, hasOlder, error } = other;
  return (
    isSameArray(one.items, items) && one.status === status && one.hasOlder === hasOlder && one.error === error
  );
}

export function conversationsQuery(
  host: Host,
  { sort = 'lastMessage', where = () => true }: ConversationsOptions,
): Query<List<Conversation>> {
  function compute(): List<Conversation> {
    const { ctx, views } = host;
    if (!ctx || !views) return LOADING;
    const keyed = views
      .conversations()
      .filter(where)
      .map((item) => ({
        item,
        key: sort === 'lastMessage' ? views.activeAt(item.id) : (item.createdAt ?? '~'),
      }));
    keyed.sort((one, other) => compare(other.key, one.key) || compare(other.item.id, one.item.id));
    const isKnown = ctx.records.values.has(CURSOR) || keyed.length > 0;
    return {
      items: keyed.map(({ item }) => item),
      status: isKnown ? 'ready' : 'loading',
      hasOlder: false,
      error: isKnown ? undefined : ctx.sync.connection.error,
    };
  }
  return createQuery(host.publisher, { compute, isSame: isSameList });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Number of messages in a conversation's window that are in memory. */
function countInWindow({ records }: Context, { id, window }: StoredConversation): number {
  return (records.lists.get(id) ?? []).filter(({ position }) => position >= (window?.from ?? 0)).length;
}

export function messagesQuery(host: Host, id: string, pageSize?: number): PagedQuery<Message> {
  let readIn = 0;
  // The device gets no packets about a conversation that the user has left.
  const isUncertain = ({ participants }: StoredConversation): boolean =>
    host.ctx?.sync.connection.status === 'online' &&
    readIn !== host.connections &&
    !participants.some((one) => one.id === host.ctx?.me);
  const recordOf = ({ records }: Context) => records.conversations.get(realId(host.ctx!, id));
  const pager: Pager = createPager(host, pageSize, {
    has(limit) {
      const { ctx } = host;
      const conversation = ctx && recordOf(ctx);
      // A conversation that is being created has nothing to read yet, and an unknown one cannot be read.
      if (!conversation) return true;
      if (isUncertain(conversation)) return false;
      const { window } = conversation;
      if (!window || window.stale) return false;
      return window.start || countInWindow(ctx, conversation) >= limit;
    },
    async read(pageSize) {
      const { connections, ctx } = host;
      const record = ctx && recordOf(ctx);
      if (record && isUncertain(record))
        await host.ask({ name: 'readConversation', data: { id: record.id } });
      readIn = connections;
      const conversation = ctx ? realId(ctx, id) : id;
      await host.ask({ name: 'readOlder', data: { conversation, pageSize } });
    },
  });
  function compute(): List<Message> {
    const { ctx, views } = host;
    if (!ctx || !views) return LOADING;
    const real = realId(ctx, id);
    const conversation = ctx.records.conversations.get(real);
    if (conversation && !ctx.records.lists.has(real)) {
      host.loadList(real);
      return { ...LOADING, error: pager.error() };
    }
    pager.fill();
    const items = views.messages(id, pager.limit());
    const window = conversation?.window;
    const isKnown = !conversation || (window !== undefined && !(window.stale && items.length === 0));
    const hasOlder =
      conversation !== undefined && (!window?.start || countInWindow(ctx, conversation) > pager.limit());
    return { items, status: isKnown ? 'ready' : 'loading', hasOlder, error: pager.error() };
  }
  function used(isUsed: boolean): void {
    if (isUsed) readIn = 0;
    host.useList(id, isUsed);
  }
  return { ...createQuery(host.publisher, { compute, isSame: isSameList, used }), loadOlder: pager.more };
}

export function announcementsQuery(host: Host, pageSize?: number): PagedQuery<Announcement> {
  const windowOf = (): Window | undefined => host.ctx && valueOf(host.ctx.records, ANNOUNCEMENTS_WINDOW);
  // Returns the same object as long as the announcement is unchanged.
  const read = new WeakMap<Announcement, Announcement>();
  function shownAsRead(announcement: Announcement): Announcement {
    const known = read.get(announcement);
    const shown = known ?? withMark(announcement, { reader: host.ctx?.me ?? '', status: 'read' });
    read.set(announcement, shown);
    return shown;
  }
  const listed = (): Announcement[] => {
    const pending = [...(host.ctx?.records.operations.values() ?? [])].map(({ action }) => action);
    const idsOf = (kind: 'deleteAnnouncement' | 'announcementReceipt') =>
      new Set(pending.map((action) => (action.kind === kind ? action.announcement : '')));
    const [deleted, marked] = [idsOf('deleteAnnouncement'), idsOf('announcementReceipt')];
    const from = windowOf()?.from ?? 0;
    return [...(host.ctx?.records.announcements.values() ?? [])]
      .filter(({ id, position }) => (position ?? 0) >= from && !deleted.has(id))
      .map((one) => (marked.has(one.id) ? shownAsRead(one) : one))
      .sort((one, other) => (other.position ?? 0) - (one.position ?? 0));
  };
  const pager = createPager(host, pageSize, {
    has: (limit) =>
      !host.ctx || windowOf()?.start === true || (windowOf() !== undefined && listed().length >= limit),
    read: (size) => host.ask({ name: 'readOlderAnnouncements', data: { pageSize: size } }),
  });
  function compute(): List<Announcement> {
    if (!host.ctx) return LOADING;
    pager.fill();
    const all = listed();
    const window = windowOf();
    return {
      items: all.slice(0, pager.limit()),
      status: window ? 'ready' : 'loading',
      hasOlder: !window?.start || all.length > pager.limit(),
      error: pager.error(),
    };
  }
  return { ...createQuery(host.publisher, { compute, isSame: isSameList }), loadOlder: pager.more };
}
