import type { Announcement, Message } from '@parley/contract/gen/records';
import { ParleyError } from '../errors.ts';
import { pathOf } from '../path.ts';
import { valueOf } from '../records/in-memory.ts';
import { ANNOUNCEMENTS_WINDOW } from '../records/rows.ts';
import type { Context } from './context.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import { isGone, readConversation } from './refetch.ts';
import { pagePath } from './page-path.ts';
import { readAndApply } from './read.ts';
import { transact } from './transact.ts';

/** A page of history that is asked for: the one before the window of a conversation, or the newest. */
export type PageRequest = { readonly conversation: string; readonly pageSize: number };

/**
 * Reads the newest page of a conversation, or the one before its window. A conversation that is gone is removed: what happens in one
 * that the user has left does not reach the device.
 */
export async function readOlder(ctx: Context, epoch: number, request: PageRequest): Promise<void> {
  try {
    await readWindow(ctx, epoch, request);
  } catch (error) {
    if (!isGone(error)) throw error;
    await readConversation(ctx, epoch, request.conversation);
    if (ctx.records.conversations.has(request.conversation)) throw error;
  }
}

async function readWindow(ctx: Context, epoch: number, request: PageRequest): Promise<void> {
  const window = ctx.records.conversations.get(request.conversation)?.window;
  if (!window || window.stale) return readPage(ctx, epoch, request, undefined);
  if (window.start) return;
  const [oldest] = await ctx
    .serial(() => ctx.store.list('messages', { group: request.conversation }))
    .then((rows) => rows.filter(({ order }) => order >= window.from).slice(-1));
  try {
    await readPage(ctx, epoch, request, oldest && { id: oldest.key, from: window.from });
  } catch (error) {
    if (!(error instanceof ParleyError) || ![404, 422].includes(error.status ?? 0)) throw error;
    // The oldest message is gone: the page before it has no name.
    await markStale(ctx, epoch, request.conversation);
    await readPage(ctx, epoch, request, undefined);
  }
}

function markStale(ctx: Context, epoch: number, id: string): Promise<void> {
  return transact(ctx, epoch, (batch) => {
    const conversation = batch.conversation(id);
    if (conversation?.window)
      batch.putConversation({ ...conversation, window: { ...conversation.window, stale: true } });
  });
}

type Before = { readonly id: string; readonly from: number };

function readPage(
  ctx: Context,
  epoch: number,
  { conversation, pageSize }: PageRequest,
  before: Before | undefined,
): Promise<void> {
  const messages = pathOf('conversations', ctx.wire, conversation) + '/messages';
  return readAndApply(ctx, epoch, {
    request: pagePath(messages, pageSize, before?.id),
    async apply(batch, page: readonly Message[]) {
      await batch.prefetch([], [conversation]);
      if (before) applyOlderPage(batch, conversation, { page, pageSize, before });
      else applyNewestPage(batch, conversation, { page, pageSize });
    },
  });
}

type Page = { readonly page: readonly Message[]; readonly pageSize: number };

/** The newest page says what there is from its oldest message on. What is older is read again on demand. */
function applyNewestPage(batch: WriteBatch, id: string, { page, pageSize }: Page): void {
  const conversation = batch.conversation(id);
  if (!conversation) return;
  const start = page.length < pageSize;
  const from = start ? 1 : (page.at(-1)?.position ?? 1);
  const listed = new Set(page.map((message) => message.id));
  for (const message of batch.messagesOf(id)) if (!listed.has(message.id)) batch.removeMessage(message.id);
  for (const message of page) batch.putMessage(message);
  batch.putConversation({ ...conversation, window: { from, start, stale: false } });
}

function applyOlderPage(
  batch: WriteBatch,
  id: string,
  { page, pageSize, before }: Page & { before: Before },
): void {
  const conversation = batch.conversation(id);
  const window = conversation?.window;
  if (!conversation || !window || window.from !== before.from) return;
  for (const message of page) batch.putMessage(message);
  const start = page.length < pageSize;
  const from = start ? 1 : (page.at(-1)?.position ?? window.from);
  batch.putConversation({ ...conversation, window: { ...window, from, start } });
}

/** Reads the newest page of announcements, or the one before those that are here. */
export function readOlderAnnouncements(ctx: Context, epoch: number, pageSize: number): Promise<void> {
  const window = valueOf(ctx.records, ANNOUNCEMENTS_WINDOW);
  if (window?.start) return Promise.resolve();
  const known = [...ctx.records.announcements.values()].filter(
    ({ position }) => window && (position ?? 0) >= window.from,
  );
  const oldest = known.reduce<Announcement | undefined>(
    (best, one) => ((one.position ?? 0) < (best?.position ?? Infinity) ? one : best),
    undefined,
  );
  return readAndApply(ctx, epoch, {
    request: pagePath('/announcements', pageSize, oldest?.id),
    apply(batch, page: readonly Announcement[]) {
      for (const announcement of page) batch.putAnnouncement(announcement);
      const start = page.length < pageSize;
      const from = start ? 0 : (page.at(-1)?.position ?? 0);
      batch.setValue(ANNOUNCEMENTS_WINDOW, { from, start, stale: false });
    },
  });
}
