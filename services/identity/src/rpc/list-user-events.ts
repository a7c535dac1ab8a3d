import { create, toBinary } from '@parley/codec';
import { derivedId } from '@parley/domain/derived-id';
import { isComplete, MAX_COMMIT_DELAY_MS, readFrom } from '@parley/domain/events/log-age';
import { ANSWER_BYTES, countFitting } from '@parley/kit/rpc/byte-budget';
import type {
  ListUserEventsRequest,
  ListUserEventsResponseSchema,
} from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { IdentitySchema, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Context } from '../context.ts';
import { pageAfter } from '../relation/following-lists.ts';
import { findPresences } from '../presence/find.ts';
import { listDepartures, type DepartureRow } from '../sql/departure.ts';
import { listIdentityChanges, type IdentityChangeRow } from '../sql/identity-change.ts';
import { findFittingIdentities, type UserKey } from '../sql/identity.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Followed users whose changes one page reads. */
const USERS_PER_PAGE = 500;

/** Deletions of identities that one page reads. */
const DEPARTURES_PER_PAGE = 500;
/** Changes that one page reads. */
const CHANGES_PER_PAGE = 1_000;
/** Upper bound of an encoded event's size without its identity. Bytes. */
const EVENT_OVERHEAD_BYTES = 512;

/**
 * Deletions of identities that the user followed at the time, and changes of the identities that the user follows now, with the present
 * values of their fields. The deletions come first. A page of changes covers some of the followed users; its cursor is the last of them, or
 * the last change that fitted. The changes of each identity are in order.
 */
export async function listUserEvents(
  ctx: Context,
  request: ListUserEventsRequest,
): RpcResponse<typeof ListUserEventsResponseSchema> {
  const { appId, userId, cursor } = request;
  const now = ctx.clock.now();
  const since = readFrom(request, now);
  const { user_ids: all } = await ctx.following.of(appId, userId);
  const complete = isComplete(since, now, ctx.epochs.beganAt());
  const gone = await listGone(ctx, request, since);
  if (gone.cursor !== undefined) return { events: gone.events, cursor: gone.cursor, complete };
  const after = parseCursor(gone.isFirst ? '' : cursor);
  const followed = pageAfter(all, after.userId, USERS_PER_PAGE);
  const users = after.version > 0 ? [after.userId, ...followed] : followed;
  const from = since - MAX_COMMIT_DELAY_MS;
  const query = { appId, userIds: users, from, afterVersion: after.version, limit: CHANGES_PER_PAGE };
  const rows = users.length === 0 ? [] : await listIdentityChanges(ctx.db, query);
  const { fitting, byId } = await fit(ctx, appId, rows);
  const presences = await findPresences(ctx.db, appId, { userIds: [...byId.keys()], viewer: userId });
  const toEvents = (row: IdentityChangeRow): Event[] => {
    const current = { identity: byId.get(row.user_id), presence: presences.get(row.user_id) };
    const event = toEvent(userId, row, current);
    return event ? [event] : [];
  };
  const last = fitting.at(-1);
  const isCut = fitting.length < rows.length || rows.length === CHANGES_PER_PAGE;
  const lastUser = followed.length < USERS_PER_PAGE ? '' : (followed.at(-1) ?? '');
  return {
    events: [...gone.events, ...fitting.flatMap(toEvents)].toSorted((a, b) => a.createdAt - b.createdAt),
    cursor: isCut && last ? `${last.user_id}${SEPARATOR}${last.version}` : lastUser,
    complete,
  };
}

type CurrentUser = { identity: Identity | undefined; presence: Presence | undefined };

/** User ids contain no control characters. */
const SEPARATOR = '\n';

function parseCursor(cursor: string): { userId: string; version: number } {
  const [userId = '', version = ''] = cursor.split(SEPARATOR);
  return { userId, version: Number(version) || 0 };
}

type Gone = {
  events: Event[];
  /** The cursor of the next page of deletions; undefined after the last page. */
  cursor: string | undefined;
  /** The page of changes that follows is the first one. */
  isFirst: boolean;
};

/** A cursor within the deletions: this, the user id, the separator, and the version. */
const AMONG_GONE = `${SEPARATOR}${SEPARATOR}`;

/** A page of the deletions of identities that a user must hear of. */
async function listGone(ctx: Context, request: ListUserEventsRequest, since: number): Promise<Gone> {
  const { appId, userId, cursor } = request;
  if (cursor !== '' && !cursor.startsWith(AMONG_GONE))
    return { events: [], cursor: undefined, isFirst: false };
  const { userId: goneUserId, version } = parseCursor(cursor.slice(AMONG_GONE.length));
  const from = since - MAX_COMMIT_DELAY_MS;
  const query = { appId, userId, from, after: { goneUserId, version }, limit: DEPARTURES_PER_PAGE };
  const rows = await listDepartures(ctx.db, query);
  const last = rows.length === DEPARTURES_PER_PAGE ? rows.at(-1) : undefined;
  return {
    events: rows.map((row) => toDeletion({ appId, userId }, row)),
    cursor: last && `${AMONG_GONE}${last.gone_user_id}${SEPARATOR}${last.version}`,
    isFirst: true,
  };
}

function toDeletion({ appId, userId }: UserKey, row: DepartureRow): Event {
  const { gone_user_id: goneUserId, version } = row;
  const identity = create(IdentitySchema, { appId, userId: goneUserId, version, deleted: true });
  return create(EventSchema, {
    id: derivedId(appId, `identity/${goneUserId}/${version}`),
    appId,
    createdAt: row.at,
    onlyUserIds: [userId],
    body: { case: 'identityChanged', value: { identity } },
  });
}

function sizeOf({ fields }: IdentityChangeRow): number {
  return fields.reduce((sum, field) => sum + Buffer.byteLength(field) + 8, EVENT_OVERHEAD_BYTES);
}

/** The first changes that fit into an answer, and their identities, each read once. */
async function fit(ctx: Context, appId: string, rows: readonly IdentityChangeRow[]) {
  const userIds = [...new Set(rows.map((row) => row.user_id))];
  if (userIds.length === 0) return { fitting: [], byId: new Map<string, Identity>() };
  const found = await findFittingIdentities(ctx.db, { appId, userIds, budget: ANSWER_BYTES });
  const byId = new Map(found.identities.map((identity) => [identity.userId, identity]));
  const sizes = new Map(
    found.identities.map((identity) => [identity.userId, toBinary(IdentitySchema, identity).length]),
  );
  const beyond = new Set(userIds.slice(found.count));
  const read = rows.filter((row) => !beyond.has(row.user_id));
  const count = countFitting(read, ANSWER_BYTES, (row) => sizeOf(row) + (sizes.get(row.user_id) ?? 0));
  return { fitting: read.slice(0, count), byId };
}

function toEvent(
  userId: string,
  row: IdentityChangeRow,
  { identity, presence }: CurrentUser,
): Event | undefined {
  // The change of an erased person would be shown with the next person's values.
  if (!identity || row.version <= identity.incarnation) return undefined;
  const { created, fields } = row;
  return create(EventSchema, {
    id: derivedId(identity.appId, `identity/${row.user_id}/${row.version}`),
    appId: identity.appId,
    createdAt: row.created_at,
    onlyUserIds: [userId],
    body: { case: 'identityChanged', value: { identity, created, fields, ...(presence && { presence }) } },
  });
}
