import { create } from '@parley/codec';
import { presenceChange } from '@parley/domain/json/change/identity';
import { leanJson } from '@parley/domain/json/lean';
import { parsePresenceIds, parseSince } from '@parley/domain/parse/presence';
import { fail } from '@parley/domain/problems';
import {
  PresenceSchema,
  PresenceStatus,
  type Presence,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import { clientView } from '../../../admission/client-view.ts';
import { MAX_UNSTREAMED } from '@parley/http/answers/list';
import type { ReleaseSlot } from '@parley/http/answers/slots';
import { itemsWeight } from '../../../admission/limits/weights.ts';
import { readFollowed } from '../../presence/followed.ts';
import { createReadPace } from '../../connection/read-pace.ts';
import { RenderedData } from './rendered-data.ts';
import type { SocketRequest } from './request.ts';

/** Users in one call. */
const PAGE = 1_000;
/** An answer ends when it is larger than this, about 12,000 changes. Characters. */
const MAX_IN_ANSWER = 4 * 1024 * 1024;
/** An answer ends when reading it has taken this long. Milliseconds. */
const MAX_READ_MS = 10_000;
/** How long a client may take to read an answer. Milliseconds. */
const MAX_DURATION_MS = 120_000;

/** Changes as JSON, page by page. */
type Changes = { pages: string[]; complete: boolean };
/** Users whose presence is requested, and the time since which it must have changed; undefined: any time. */
type Wanted = { ids: readonly string[] | undefined; since: number | undefined };

/**
 * `Presence.sync`: the presence of named users; or, without names, its changes since a time among the users whom the socket
 * subscribed to, or else whom its user follows. `complete: false`: there are more changes than the answer holds.
 */
export async function syncPresence(request: SocketRequest): Promise<object> {
  const { ctx, connection, data } = request;
  const wanted = {
    ids: parsePresenceIds(ctx.wire, data, ctx.config.maxPresenceIds),
    since: parseSince(data),
  };
  if (!wanted.ids && wanted.since === undefined) return fail('missing_property', { property: 'since' });
  const { appId, userId, sessionId: tokenId } = connection.caller;
  return ctx.limits.concurrency.run('list', { appId, userId, tokenId }, async () => {
    const leave = await ctx.responseSlots.first(appId, userId);
    try {
      return await readAnswer(request, wanted);
    } finally {
      leave();
    }
  });
}

/** A large answer keeps its concurrency slot until the client has read it, as large lists of REST do. */
async function readAnswer(request: SocketRequest, wanted: Wanted): Promise<object> {
  const { ctx, connection } = request;
  const { appId, userId } = connection.caller;
  let leave: ReleaseSlot | undefined;
  try {
    const changes = await readChanges(request, wanted, async () => {
      leave ??= await ctx.responseSlots.large(appId, userId);
    });
    const json = `{"changes":[${changes.pages.join(',')}]${changes.complete ? '' : ',"complete":false'}}`;
    return new RenderedData(json, () => leaveWhenRead(request, leave));
  } catch (error) {
    leave?.();
    throw error;
  }
}

function leaveWhenRead({ ctx, connection }: SocketRequest, leave: ReleaseSlot | undefined): void {
  if (!leave) return;
  const patience = { stallMs: ctx.config.replayStallSeconds * 1000, totalMs: MAX_DURATION_MS };
  void Promise.resolve(createReadPace(connection, patience).untilRead()).finally(leave);
}

/** `grown` is awaited when the answer is large. */
async function readChanges(
  request: SocketRequest,
  wanted: Wanted,
  grown: () => Promise<void>,
): Promise<Changes> {
  const { connection, weigh } = request;
  const until = performance.now() + MAX_READ_MS;
  const pages: string[] = [];
  let [size, users] = [0, 0];
  try {
    for await (const userIds of userPages(request, wanted)) {
      if (userIds.length === 0) continue;
      const isFull = size > MAX_IN_ANSWER || (users > 0 && performance.now() > until);
      if (isFull || !connection.isOpen) return { pages, complete: false };
      users += userIds.length;
      const page = await readPage(request, userIds, wanted);
      if (page !== '') pages.push(page);
      size += page.length;
      if (size > MAX_UNSTREAMED) await grown();
    }
    return { pages, complete: true };
  } finally {
    weigh(itemsWeight(users));
  }
}

async function* userPages(
  { ctx, live, connection }: SocketRequest,
  { ids }: Wanted,
): AsyncGenerator<readonly string[]> {
  const known: Iterable<string> = ids ? new Set(ids) : live.presence.watchedBy(connection);
  let isKnown = ids !== undefined;
  for (const userIds of pagesOf(known)) {
    isKnown = true;
    yield userIds;
  }
  if (isKnown) return;
  for await (const { userIds } of readFollowed(ctx.relations, connection.caller)) yield userIds;
}

function* pagesOf(userIds: Iterable<string>): Generator<string[]> {
  let page: string[] = [];
  for (const userId of userIds) {
    if (page.push(userId) < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** The changes of a page of users, as the JSON of an array without its brackets. */
async function readPage(
  request: SocketRequest,
  userIds: readonly string[],
  { since }: Wanted,
): Promise<string> {
  const { ctx, connection } = request;
  const { appId, userId } = connection.caller;
  const query = { appId, userIds: [...userIds], viewerUserId: userId };
  const { presences } = await ctx.presences.getPresences(query);
  const found = new Map(presences.map((presence) => [presence.userId, presence]));
  const shown = userIds.map((userId) => found.get(userId) ?? offline(userId));
  const view = clientView(ctx, connection.caller);
  const wanted = since === undefined ? shown : shown.filter(({ changedAt }) => changedAt >= since);
  const changes = wanted.map((presence) => presenceChange(view, presence));
  return JSON.stringify(connection.isLean ? leanJson(ctx.wire, changes) : changes).slice(1, -1);
}

/** The presence of a user who has never connected and has chosen none. */
function offline(userId: string): Presence {
  return create(PresenceSchema, { userId, status: PresenceStatus.OFFLINE });
}
