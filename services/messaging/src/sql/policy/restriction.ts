import type { Role } from '@parley/contract/policy';
import type { Sql } from '@parley/kit/postgres';
import { isHeldWith, PARTICIPANT_COLUMNS, type ParticipantRow } from '../conversation/participant.ts';
import type { Statement } from '../statement.ts';
import type { AppRestriction } from './standing.ts';

/** A restriction in a conversation. Times in milliseconds; a null `until` is without end, a null `created_by` a server. */
export type RestrictionRow = {
  app_id: string;
  conversation_id: string;
  user_id: string;
  kind: 'mute' | 'ban';
  until: number | null;
  reason: string | null;
  created_by: string | null;
  created_at: number;
  /** The incarnation of the user whom it concerns. */
  incarnation: number;
};

export type ShownRestrictionRow = RestrictionRow & {
  display_name: string | null;
  avatar_url: string | null;
};

const COLUMNS = `r.app_id, r.conversation_id, r.user_id, r.kind, r.until, r.reason, r.created_by, r.created_at, r.incarnation`;

/** SQL of whether restriction `r` is of the person who has the user id now. */
const IS_OF_PERSON = `r.incarnation >= coalesce((
        select i.participations_from from identity_copy i where i.app_id = r.app_id and i.user_id = r.user_id), 0)`;

/** Restrictions of one user in conversations, also those that are over. */
export function listRestrictionsOf(
  sql: Sql,
  { appId, userId, ids }: { appId: string; userId: string; ids: readonly string[] },
): Promise<RestrictionRow[]> {
  return sql.query<RestrictionRow>({
    name: 'list_restrictions_of_user',
    text: `
      select ${COLUMNS} from restriction r
      where r.app_id = $1 and r.conversation_id = any($2::uuid[]) and r.user_id = $3 and ${IS_OF_PERSON}`,
    values: [appId, ids, userId],
  });
}

/** Users among these whom the conversation bans at the time. `now`: milliseconds. */
export async function listBanned(
  sql: Sql,
  { app_id, id }: { app_id: string; id: string },
  { userIds, now }: { userIds: readonly string[]; now: number },
): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>({
    name: 'list_banned',
    text: `
      select r.user_id from restriction r
      where r.app_id = $1 and r.conversation_id = $2 and r.user_id = any($3::text[]) and r.kind = 'ban'
        and (r.until is null or r.until > to_timestamp($4::float8 / 1000)) and ${IS_OF_PERSON}
      order by r.user_id`,
    values: [app_id, id, userIds, now],
  });
  return rows.map(({ user_id }) => user_id);
}

/** The restriction of a user in a locked conversation. */
export async function findRestriction(
  sql: Sql,
  { app_id, id }: { app_id: string; id: string },
  userId: string,
): Promise<RestrictionRow | undefined> {
  const [row] = await listRestrictionsOf(sql, { appId: app_id, userId, ids: [id] });
  return row;
}

export function upsertRestriction(row: RestrictionRow): Statement {
  return {
    name: 'upsert_restriction',
    text: `
      insert into restriction (app_id, conversation_id, user_id, kind, until, reason, created_by, created_at,
        incarnation)
      values ($1::uuid, $2::uuid, $3::text, $4::text, to_timestamp($5::float8 / 1000), $6::text, $7::text,
        to_timestamp($8::float8 / 1000), $9::float8)
      on conflict (app_id, conversation_id, user_id) do update
      set kind = excluded.kind, until = excluded.until, reason = excluded.reason, created_by = excluded.created_by,
        created_at = excluded.created_at, incarnation = excluded.incarnation`,
    values: [
      row.app_id,
      row.conversation_id,
      row.user_id,
      row.kind,
      row.until,
      row.reason,
      row.created_by,
      row.created_at,
      row.incarnation,
    ],
  };
}

/** The `until` of a restriction that was lifted. */
export const LIFTED = 0;

/** Lifts a restriction. The row stays, so that a page of the list can begin after it. */
export function liftRestriction({ app_id, conversation_id, user_id }: RestrictionRow): Statement {
  return {
    name: 'lift_restriction',
    text: `
      update restriction set until = to_timestamp($4::float8 / 1000)
      where app_id = $1::uuid and conversation_id = $2::uuid and user_id = $3::text`,
    values: [app_id, conversation_id, user_id, LIFTED],
  };
}

/** Deletes the restrictions of an erased person in conversations. */
export async function deleteRestrictionsOf(
  sql: Sql,
  { appId, userId, version }: { appId: string; userId: string; version: number },
): Promise<void> {
  await sql.execute({
    name: 'delete_restrictions_of_user',
    text: 'delete from restriction where app_id = $1 and user_id = $2 and incarnation < $3::float8',
    values: [appId, userId, version],
  });
}

/** The restrictions in force, newest first. `from`: the last one of the page before. */
export function listRestrictions(
  sql: Sql,
  { app_id, id }: { app_id: string; id: string },
  page: { fromId: string | null; limit: number; now: number },
): Promise<ShownRestrictionRow[]> {
  return sql.query<ShownRestrictionRow>({
    name: 'list_restrictions',
    text: `
      select ${COLUMNS}, i.display_name, i.avatar_url from restriction r
      left join identity_copy i on i.app_id = r.app_id and i.user_id = r.user_id
      where r.app_id = $1 and r.conversation_id = $2 and (r.until is null or r.until > to_timestamp($5::float8 / 1000))
        and ${IS_OF_PERSON} and ($3::text is null or (r.created_at, r.user_id) < (
          select f.created_at, f.user_id from restriction f
          where f.app_id = $1 and f.conversation_id = $2 and f.user_id = $3::text))
      order by r.created_at desc, r.user_id desc limit $4`,
    values: [app_id, id, page.fromId, page.limit, page.now],
  });
}

/** Sets the restriction of a user in the whole application, or ends it (null). False: there is no copy of the identity. */
export async function setAppRestriction(
  sql: Sql,
  { appId, userId }: { appId: string; userId: string },
  restriction: AppRestriction | null,
): Promise<boolean> {
  const count = await sql.execute({
    name: 'set_app_restriction',
    text: 'update identity_copy set restriction = $3::json where app_id = $1 and user_id = $2 and not deleted',
    values: [appId, userId, restriction && JSON.stringify(restriction)],
  });
  return count === 1;
}

/** The restriction of a user in the whole application, whose row it locks. Undefined: there is no such user. */
export async function lockAppRestriction(
  sql: Sql,
  { appId, userId }: { appId: string; userId: string },
): Promise<{ restriction: AppRestriction | null } | undefined> {
  const [row] = await sql.query<{ restriction: AppRestriction | null }>({
    name: 'lock_app_restriction',
    text: `
      select i.restriction from identity_copy i
      where i.app_id = $1 and i.user_id = $2 and not i.deleted for no key update of i`,
    values: [appId, userId],
  });
  return row;
}

/** A user's participant row with what a view of the conversation shows beside it. */
export type OwnParticipantRow = ParticipantRow & {
  role: Role | null;
  app_restriction: AppRestriction | null;
};

export function listOwnParticipants(
  sql: Sql,
  { appId, userId, ids }: { appId: string; userId: string; ids: readonly string[] },
): Promise<OwnParticipantRow[]> {
  return sql.query<OwnParticipantRow>({
    name: 'list_own_participants',
    text: `
      select ${PARTICIPANT_COLUMNS}, p.role, i.restriction as app_restriction
      from unnest($2::uuid[]) as wanted (conversation_id)
      join participant p on p.app_id = $1 and p.conversation_id = wanted.conversation_id and p.user_id = $3
      left join identity_copy i on i.app_id = $1 and i.user_id = $3
      where ${isHeldWith()}`,
    values: [appId, ids, userId],
  });
}
