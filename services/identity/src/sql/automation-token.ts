import type { Sql } from '@parley/kit/postgres';
import type { RoleRow } from './console-session.ts';

export type AutomationTokenRow = {
  id: string;
  name: string;
  roles: RoleRow[];
  expires_at: number | null;
  created_at: number;
};

const COLUMNS = `id, name, roles, expires_at, created_at`;

export type NewAutomationToken = {
  id: string;
  name: string;
  tokenHash: Buffer;
  roles: RoleRow[];
  /** Null: the token does not expire. */
  expiresAt: number | null;
  createdAt: number;
};

/** Undefined if there is a token of that name. */
export async function insertAutomationToken(
  sql: Sql,
  token: NewAutomationToken,
): Promise<AutomationTokenRow | undefined> {
  const { id, name, tokenHash, roles, expiresAt, createdAt } = token;
  const [row] = await sql.query<AutomationTokenRow>({
    text: `
      insert into automation_token (id, name, token_hash, roles, expires_at, created_at)
      values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))
      on conflict (name) do nothing returning ${COLUMNS}`,
    values: [id, name, tokenHash, JSON.stringify(roles), expiresAt, createdAt],
  });
  return row;
}

/** Undefined also if the token has expired. */
export async function findAutomationToken(
  sql: Sql,
  tokenHash: Buffer,
  now: number,
): Promise<AutomationTokenRow | undefined> {
  const [row] = await sql.query<AutomationTokenRow>({
    text: `
      select ${COLUMNS} from automation_token
      where token_hash = $1 and (expires_at is null or expires_at > to_timestamp($2 / 1000.0))`,
    values: [tokenHash, now],
  });
  return row;
}

export function listAutomationTokens(sql: Sql): Promise<AutomationTokenRow[]> {
  return sql.query<AutomationTokenRow>({ text: `select ${COLUMNS} from automation_token order by id` });
}

/** Returns whether there was such a token. */
export async function deleteAutomationToken(sql: Sql, id: string): Promise<boolean> {
  return (await sql.execute({ text: `delete from automation_token where id = $1`, values: [id] })) > 0;
}
