import type { Announcement, Message } from '@parley/contract/gen/records';
import { ParleyError } from '../errors.ts';
import { pathOf } from '../path.ts';
import { ANNOUNCEMENTS_WINDOW } from './apply/announcement.ts';
import type { Context } from './context.ts';
import type { Draft } from '../records/write-batch.ts';
import { isGone, readConversation } from './refetch.ts';
import { readAndApply } from './reading.ts';
import type { Window } from '../records/records.ts';
import { transact } from './transact.ts';

/** Where a page of history goes. */
type Place = { readonly conversation: string; readonly pageSize: number };

/**
 * Reads the newest page of a conversation, or the one before its window. A conversation that is gone is removed: what happens in one
 * that the user has left does not reach the device.
 */
export async function readOlder(ctx: Context, epoch: number, place: Place): Promise<void> {
  try {
    await readWindow(ctx, epoch, place);
  } catch (error) {
    if (!isGone(error)) throw error;
    await readConversation(ctx, epoch, place.conversation);
    if (ctx.base.conversations.has(place.conversation)) throw error;
  }
}

async function readWindow(ctx: Context, epoch: number, place: Place): Promise<void> {
  const window = ctx.base.conversations.get(place.conversation)?.window;
  if (!window || window.stale) return readPage(ctx, epoch, place, undefined);
  if (window.start) return;
  const [oldest] = await ctx
    .serial(() => ctx.store.list('messages', { group: place.conversation }))
    .then((rows) => rows.filter(({ order }) => order >= window.from).slice(-1));
  try {
    await readPage(ctx, epoch, place, oldest && { id: oldest.key, from: window.from });
  } catch (error) {
    if (!(error instanceof ParleyError) || ![404, 422].includes(error.status ?? 0)) throw error;
    // The oldest message is gone: the page before it has no name.
    await markStale(ctx, epoch, place.conversation);
    await readPage(ctx, epoch, place, undefined);
  }
}

function markStale(ctx: Context, epoch: number, id: string): Promise<void> {
  return transact(
    ctx,
    (draft) => {
      const conversation = draft.conversation(id);
      if (conversation?.window)
        draft.putConversation({ ...conversation, window: { ...conversation.window, stale: true } });
    },
    { epoch },
  );
}

type Before = { readonly id: string; readonly from: number };

function readPage(
  ctx: Context,
  epoch: number,
  { conversation, pageSize }: Place,
  before: Before | undefined,
): Promise<void> {
  const query = before ? `&from_id=${encodeURIComponent(before.id)}` : '';
  const messages = pathOf('conversations', ctx.wire, conversation) + '/messages';
  const path = `${messages}?page_size=${pageSize}${query}`;
  return readAndApply(ctx, epoch, {
    request: async () =>
      (await ctx.session.send({ method: 'GET', path, signal: ctx.ended })).body as Message[],
    async apply(draft, page) {
      await draft.prefetch([], [conversation]);
      if (before) applyOlderPage(draft, conversation, { page, pageSize, before });
      else applyNewestPage(draft, conversation, { page, pageSize });
    },
  });
}

type Page = { readonly page: readonly Message[]; readonly pageSize: number };

/** The newest page says what there is from its oldest message on. What is older is read again on demand. */
function applyNewestPage(draft: Draft, id: string, { page, pageSize }: Page): void {
  const conversation = draft.conversation(id);
  if (!conversation) return;
  const start = page.length < pageSize;
  const from = start ? 1 : (page.at(-1)?.position ?? 1);
  const listed = new Set(page.map((message) => message.id));
  for (const message of draft.messagesOf(id)) if (!listed.has(message.id)) draft.removeMessage(message.id);
  for (const message of page) draft.putMessage(message);
  draft.putConversation({ ...conversation, window: { from, start, stale: false } });
}

function applyOlderPage(
  draft: Draft,
  id: string,
  { page, pageSize, before }: Page & { before: Before },
): void {
  const conversation = draft.conversation(id);
  const window = conversation?.window;
  if (!conversation || !window || window.from !== before.from) return;
  for (const message of page) draft.putMessage(message);
  const start = page.length < pageSize;
  const from = start ? 1 : (page.at(-1)?.position ?? window.from);
  draft.putConversation({ ...conversation, window: { ...window, from, start } });
}

/** Reads the newest page of announcements, or the one before those that are here. */
export function readOlderAnnouncements(ctx: Context, epoch: number, pageSize: number): Promise<void> {
  const window = ctx.base.values.get(ANNOUNCEMENTS_WINDOW) as Window | undefined;
  if (window?.start) return Promise.resolve();
  const known = [...ctx.base.announcements.values()].filter(
    ({ position }) => window && (position ?? 0) >= window.from,
  );
  const oldest = known.reduce<Announcement | undefined>(
    (best, one) => ((one.position ?? 0) < (best?.position ?? Infinity) ? one : best),
    undefined,
  );
  const query = oldest ? `&from_id=${encodeURIComponent(oldest.id)}` : '';
  const path = `/announcements?page_size=${pageSize}${query}`;
  return readAndApply(ctx, epoch, {
    request: async () =>
      (await ctx.session.send({ method: 'GET', path, signal: ctx.ended })).body as Announcement[],
    apply(draft, page) {
      for (const announcement of page) draft.putAnnouncement(announcement);
      const start = page.length < pageSize;
      const from = start ? 0 : (page.at(-1)?.position ?? 0);
      draft.setValue(ANNOUNCEMENTS_WINDOW, { from, start, stale: false } satisfies Window);
    },
  });
}
