import type { Sql } from '@parley/kit/postgres';
import { insertedRow } from './inserted-row.ts';

/** `app_id` null: of all applications. */
export type RoleRow = { role: string; app_id: string | null };

export type ConsoleSessionRow = {
  id: string;
  issuer: string;
  subject: string;
  name: string;
  roles: RoleRow[];
  method: string;
  created_at: number;
  used_at: number;
  expires_at: number;
};

export type NewConsoleSession = Omit<ConsoleSessionRow, 'created_at' | 'used_at' | 'expires_at'> & {
  tokenHash: Buffer;
  idleSeconds: number;
  now: number;
  expiresAt: number;
};

const COLUMNS = `id, issuer, subject, name, roles, method, created_at, used_at,
  least(expires_at, used_at + idle_seconds * interval '1 second') as expires_at`;

/** SQL condition that a session has not ended at the time in a parameter. */
function isOpen(now: string): string {
  const time = `to_timestamp(${now} / 1000.0)`;
  return `expires_at > ${time} and used_at + idle_seconds * interval '1 second' > ${time}`;
}

export async function insertConsoleSession(sql: Sql, session: NewConsoleSession): Promise<ConsoleSessionRow> {
  const { id, tokenHash, issuer, subject, name, roles, method, idleSeconds, now, expiresAt } = session;
  return insertedRow(
    await sql.query<ConsoleSessionRow>({
      text: `
        insert into console_session
          (id, token_hash, issuer, subject, name, roles, method, idle_seconds, created_at, used_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9 / 1000.0), to_timestamp($9 / 1000.0), to_timestamp($10 / 1000.0))
        returning ${COLUMNS}`,
      values: [
        id,
        tokenHash,
        issuer,
        subject,
        name,
        JSON.stringify(roles),
        method,
        idleSeconds,
        now,
        expiresAt,
      ],
    }),
  );
}

/** The session of a token, recording its use; undefined if it has ended. */
export async function useConsoleSession(
  sql: Sql,
  tokenHash: Buffer,
  now: number,
): Promise<ConsoleSessionRow | undefined> {
  const [row] = await sql.query<ConsoleSessionRow>({
    text: `
      update console_session set used_at = greatest(used_at, to_timestamp($2 / 1000.0))
      where token_hash = $1 and ${isOpen('$2')} returning ${COLUMNS}`,
    values: [tokenHash, now],
  });
  return row;
}

/** Sessions of a person that have not ended, newest first. */
export function listConsoleSessions(
  sql: Sql,
  page: { issuer: string; subject: string; now: number; limit: number },
): Promise<ConsoleSessionRow[]> {
  return sql.query<ConsoleSessionRow>({
    text: `
      select ${COLUMNS} from console_session
      where issuer = $1 and subject = $2 and ${isOpen('$3')} order by id desc limit $4`,
    values: [page.issuer, page.subject, page.now, page.limit],
  });
}

/** Sessions of all people that have not ended, newest first, older than `fromId`. */
export function listOpenConsoleSessions(
  sql: Sql,
  page: { fromId: string | undefined; now: number; limit: number },
): Promise<ConsoleSessionRow[]> {
  return sql.query<ConsoleSessionRow>({
    text: `
      select ${COLUMNS} from console_session
      where ($1::uuid is null or id < $1) and ${isOpen('$2')} order by id desc limit $3`,
    values: [page.fromId, page.now, page.limit],
  });
}

/** Deletes a session, of the named person only if one is named. Returns the session's person; undefined: there was no such session. */
export async function deleteConsoleSession(
  sql: Sql,
  { id, person }: { id: string; person?: { issuer: string; subject: string } | undefined },
): Promise<{ issuer: string; subject: string } | undefined> {
  const [deleted] = await sql.query<{ issuer: string; subject: string }>({
    text: `
      delete from console_session
      where id = $1 and ($2::text is null or (issuer = $2 and subject = $3)) returning issuer, subject`,
    values: [id, person?.issuer, person?.subject],
  });
  return deleted;
}

/** Returns whether there was that session. */
export async function endConsoleSessionById(sql: Sql, id: string): Promise<boolean> {
  return (await sql.execute({ text: `delete from console_session where id = $1`, values: [id] })) > 0;
}

export type EndedConsoleSession = { id: string; issuer: string; subject: string };

/** Deletes at most `limit` expired sessions; returns them. */
export function deleteEndedConsoleSessions(
  sql: Sql,
  now: number,
  limit: number,
): Promise<EndedConsoleSession[]> {
  return sql.query<EndedConsoleSession>({
    text: `
      delete from console_session where id = any (array(
        select id from console_session where not (${isOpen('$1')}) limit $2)) returning id, issuer, subject`,
    values: [now, limit],
  });
}
