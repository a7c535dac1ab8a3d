import type { Sql } from '@parley/kit/postgres';
import { insertedRow } from './inserted-row.ts';

export type AccessTokenRow = {
  id: string;
  app_uuid: string;
  name: string;
  expires_at: number | null;
  created_at: number;
};

const COLUMNS = `token.id, token.app_id as app_uuid, token.name, token.expires_at, token.created_at`;

export type NewAccessToken = {
  id: string;
  appId: string;
  name: string;
  tokenHash: Buffer;
  /** Null: the token does not expire. */
  expiresAt: number | null;
  createdAt: number;
};

export async function insertAccessToken(sql: Sql, token: NewAccessToken): Promise<AccessTokenRow> {
  return insertedRow(
    await sql.query<AccessTokenRow>({
      text: `
        insert into access_token as token (id, app_id, name, token_hash, expires_at, created_at)
        values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))
        returning ${COLUMNS}`,
      values: [token.id, token.appId, token.name, token.tokenHash, token.expiresAt, token.createdAt],
    }),
  );
}

/** The application of a token; undefined if there is no such token. */
export async function findAppOfAccessToken(sql: Sql, id: string): Promise<string | undefined> {
  const [row] = await sql.query<{ app_id: string }>({
    text: `select app_id from access_token where id = $1`,
    values: [id],
  });
  return row?.app_id;
}

/** Tokens of the application's servers, without those that people of the console got. */
export function listAccessTokens(sql: Sql, appId: string): Promise<AccessTokenRow[]> {
  return sql.query<AccessTokenRow>({
    text: `select ${COLUMNS} from access_token as token where app_id = $1 and console_session_id is null order by id`,
    values: [appId],
  });
}

/** Deletes a token and returns its application; undefined if there is no such token. */
export async function deleteAccessToken(sql: Sql, id: string): Promise<string | undefined> {
  const [row] = await sql.query<{ app_id: string }>({
    text: `delete from access_token where id = $1 returning app_id`,
    values: [id],
  });
  return row?.app_id;
}

export async function deleteAccessTokensOfApp(sql: Sql, appId: string): Promise<void> {
  await sql.execute({ text: `delete from access_token where app_id = $1`, values: [appId] });
}
