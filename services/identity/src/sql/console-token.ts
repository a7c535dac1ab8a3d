import type { Sql } from '@parley/kit/postgres';

/** An access token that a person of the console got. */
export type NewConsoleToken = {
  id: string;
  appId: string;
  /** Name of the person. */
  name: string;
  tokenHash: Buffer;
  createdAt: number;
  expiresAt: number;
  access: 'read' | 'write';
  readsContent: boolean;
  /** The role of the person in the application; empty: an older gateway did not say it. */
  role: string;
  origin: string;
  issuer: string;
  subject: string;
  sessionId: string;
};

export async function insertConsoleToken(sql: Sql, token: NewConsoleToken): Promise<void> {
  const { id, appId, name, tokenHash, createdAt, expiresAt } = token;
  const { access, readsContent, role, origin, issuer, subject, sessionId } = token;
  await sql.execute({
    text: `
      insert into access_token
        (id, app_id, name, token_hash, created_at, expires_at, access, origin, actor_issuer, actor_subject, console_session_id, reads_content,
          actor_role)
      values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0), $7, $8, $9, $10, $11, $12, $13)`,
    values: [
      id,
      appId,
      name,
      tokenHash,
      createdAt,
      expiresAt,
      access,
      origin,
      issuer,
      subject,
      sessionId,
      readsContent,
      role || null,
    ],
  });
}

/** Deletes the tokens that a console session got; answers their ids and applications. */
export function deleteTokensOfConsoleSession(
  sql: Sql,
  sessionId: string,
): Promise<{ id: string; app_id: string }[]> {
  return sql.query<{ id: string; app_id: string }>({
    text: `delete from access_token where console_session_id = $1 returning id, app_id`,
    values: [sessionId],
  });
}

/** Deletes at most `limit` tokens of the console that expired before a time; returns how many. */
export function deleteConsoleTokensBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from access_token where id = any (array(
        select id from access_token
        where console_session_id is not null and expires_at < to_timestamp($1 / 1000.0) limit $2))`,
    values: [time, limit],
  });
}
