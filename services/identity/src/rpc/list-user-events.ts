import { create, toBinary } from '@parley/codec';
import { derivedId } from '@parley/domain/derived-id';
import { MAX_COMMIT_DELAY_MS, oldestKept, readFrom } from '@parley/domain/events/log-age';
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
import { listIdentityChanges, type IdentityChangeRow } from '../sql/identity-change.ts';
import { findFittingIdentities } from '../sql/identity.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Followed users whose changes one page reads. */
const USERS_PER_PAGE = 500;

/** Changes that one page reads. */
const CHANGES_PER_PAGE = 1_000;
/** Upper bound of an encoded event's size without its identity. Bytes. */
const EVENT_OVERHEAD_BYTES = 512;

/**
 * Changes of the identities that a user follows now, with the present values of their fields. A page covers some of
 * the followed users; its cursor is the last of them, or the last change that fitted. The changes of each identity
 * are in order.
 */
export async function listUserEvents(
  ctx: Context,
  request: ListUserEventsRequest,
): RpcResponse<typeof ListUserEventsResponseSchema> {
  const { appId, userId, cursor } = request;
  const since = readFrom(request, ctx.clock.now());
  const { user_ids: all } = await ctx.following.of(appId, userId);
  const after = parseCursor(cursor);
  const followed = pageAfter(all, after.userId, USERS_PER_PAGE);
  const users = after.version > 0 ? [after.userId, ...followed] : followed;
  const from = since - MAX_COMMIT_DELAY_MS;
  const query = { appId, userIds: users, from, afterVersion: after.version, limit: CHANGES_PER_PAGE };
  const rows = users.length === 0 ? [] : await listIdentityChanges(ctx.db, query);
  const { fitting, byId } = await fit(ctx, appId, rows);
  const presences = await findPresences(ctx.db, appId, { userIds: [...byId.keys()], viewer: userId });
  const last = fitting.at(-1);
  const isCut = fitting.length < rows.length || rows.length === CHANGES_PER_PAGE;
  const lastUser = followed.length < USERS_PER_PAGE ? '' : (followed.at(-1) ?? '');
  return {
    events: fitting
      .toSorted((a, b) => a.created_at - b.created_at)
      .flatMap((row) => {
        const current = { identity: byId.get(row.user_id), presence: presences.get(row.user_id) };
        return toEvent(userId, row, current) ?? [];
      }),
    cursor: isCut && last ? `${last.user_id}${SEPARATOR}${last.version}` : lastUser,
    complete: oldestKept(ctx.clock.now()) <= since,
  };
}

type CurrentUser = { identity: Identity | undefined; presence: Presence | undefined };

/** User ids contain no control characters. */
const SEPARATOR = '\n';

function parseCursor(cursor: string): { userId: string; version: number } {
  const [userId = '', version = ''] = cursor.split(SEPARATOR);
  return { userId, version: Number(version) || 0 };
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
  if (!identity) return undefined;
  const { created, fields } = row;
  return create(EventSchema, {
    id: derivedId(identity.appId, `identity/${row.user_id}/${row.version}`),
    appId: identity.appId,
    createdAt: row.created_at,
    onlyUserIds: [userId],
    body: { case: 'identityChanged', value: { identity, created, fields, ...(presence && { presence }) } },
  });
}
