import type { Sql } from '@parley/kit/postgres';

export type SessionRow = { id: string; created_at: number; expires_at: number };

export type NewSession = {
  id: string;
  appId: string;
  userId: string;
  tokenHash: Buffer;
  createdAt: number;
  expiresAt: number;
};

export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql.execute({
    name: 'insert_session',
    text: `
      insert into session (id, app_id, user_id, token_hash, created_at, expires_at)
      values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))`,
    values: [
      session.id,
      session.appId,
      session.userId,
      session.tokenHash,
      session.createdAt,
      session.expiresAt,
    ],
  });
}

/** Deletes a session and returns its id; undefined if the user has no such session. */
export async function deleteSession(
  sql: Sql,
  session: { appId: string; userId: string; tokenHash: Buffer },
): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>({
    text: `delete from session where token_hash = $3 and app_id = $1 and user_id = $2 returning id`,
    values: [session.appId, session.userId, session.tokenHash],
  });
  return row?.id;
}

/** Locks a session of a user against its end; false if it has ended. */
export async function shareSession(
  sql: Sql,
  { appId, userId, id }: { appId: string; userId: string; id: string },
): Promise<boolean> {
  const rows = await sql.query({
    name: 'share_session',
    text: `select id from session where id = $1 and app_id = $2 and user_id = $3 for key share`,
    values: [id, appId, userId],
  });
  return rows.length > 0;
}

/** Deletes the sessions of a user; answers their ids. */
export async function deleteSessionsById(
  sql: Sql,
  { appId, userId, ids }: { appId: string; userId: string; ids: readonly string[] },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `delete from session where app_id = $1 and user_id = $2 and id = any ($3::uuid[]) returning id`,
    values: [appId, userId, ids],
  });
  return rows.map(({ id }) => id);
}

export async function deleteSessionsOfUser(sql: Sql, appId: string, userId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `delete from session where app_id = $1 and user_id = $2 returning id`,
    values: [appId, userId],
  });
  return rows.map((row) => row.id);
}

/** Sessions of a user that have not expired, oldest first. */
export function listSessionsOfUser(
  sql: Sql,
  user: { appId: string; userId: string; now: number },
): Promise<SessionRow[]> {
  return sql.query<SessionRow>({
    text: `
      select id, created_at, expires_at from session
      where app_id = $1 and user_id = $2 and expires_at > to_timestamp($3 / 1000.0) order by id`,
    values: [user.appId, user.userId, user.now],
  });
}

/** Deletes at most `limit` sessions that are expired or of a deleted application; returns how many. */
export function deleteDeadSessions(sql: Sql, now: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from session where id = any (array(
        (select id from session where expires_at <= to_timestamp($1 / 1000.0) limit $2)
        union all
        (select session.id from app join session on session.app_id = app.id
          where app.deleted_at is not null limit $2)
        limit $2))`,
    values: [now, limit],
  });
}
