import { create } from '@bufbuild/protobuf';
import { derivedId } from '@parley/domain/derived-id';
import { oldestKept } from '@parley/domain/log-age';
import type {
  ListUserEventsRequest,
  ListUserEventsResponseSchema,
} from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Context } from '../context.ts';
import { pageAfter } from '../following.ts';
import { findPresences } from '../presence/find.ts';
import { listIdentityChanges, type IdentityChangeRow } from '../sql/identity-change.ts';
import { findIdentities } from '../sql/identity.ts';
import type { Answer } from './answer.ts';

/** Followed users whose changes one page looks at. */
const USERS_PER_PAGE = 500;
/** The longest that a change may have been under way before it was there to be seen. */
const LATE_MS = 5_000;

/**
 * Changes of the identities that a user follows now, with what the fields are now, a page for some of them: the cursor is
 * the last of those users. Of each identity in order.
 */
export async function listUserEvents(
  ctx: Context,
  { appId, userId, fromTimestamp, cursor }: ListUserEventsRequest,
): Answer<typeof ListUserEventsResponseSchema> {
  const { user_ids: all } = await ctx.following.of(appId, userId);
  const followed = pageAfter(all, cursor, USERS_PER_PAGE);
  const query = { appId, userIds: followed, from: fromTimestamp - LATE_MS };
  const rows = followed.length === 0 ? [] : await listIdentityChanges(ctx.db, query);
  const changed = [...new Set(rows.map((row) => row.user_id))];
  const [identities, presences] = await Promise.all([
    changed.length === 0 ? [] : findIdentities(ctx.db, appId, changed),
    findPresences(ctx.db, appId, changed),
  ]);
  const byId = new Map(identities.map((identity) => [identity.userId, identity]));
  return {
    events: rows.flatMap(
      (row) =>
        toEvent(userId, row, { identity: byId.get(row.user_id), presence: presences.get(row.user_id) }) ?? [],
    ),
    cursor: followed.length < USERS_PER_PAGE ? '' : (followed.at(-1) ?? ''),
    complete: oldestKept(ctx.clock.now()) <= fromTimestamp,
  };
}

type Shown = { identity: Identity | undefined; presence: Presence | undefined };

function toEvent(userId: string, row: IdentityChangeRow, { identity, presence }: Shown): Event | undefined {
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
