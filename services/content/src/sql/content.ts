import type { Sql } from '@parley/kit/postgres';

/** Values of `content.status`. `released`: no message refers to the content any more. */
export const STATUS = { uploading: 1, uploaded: 2, cancelled: 3, expired: 4, released: 5 } as const;

export type ContentRow = {
  app_id: string;
  id: string;
  status: number;
  user_id: string | null;
  by_server: boolean;
  conversation_id: string | null;
  size: number;
  content_type: string;
  origin: string | null;
  /** Hash of the secret in the address of its upload. */
  token_hash: Buffer;
  created_at: number;
  stored: number;
  store_upload_id: string | null;
  uploaded_at: number | null;
  /** The incarnation of the user; null means 0. */
  incarnation: number | null;
  /** Name under which downloads are saved. */
  filename: string | null;
};

const COLUMNS = `
  app_id, id, status, user_id, by_server, conversation_id, size, content_type, origin, token_hash, created_at, stored,
  store_upload_id, uploaded_at, incarnation, filename`;

export type NewContent = {
  appId: string;
  id: string;
  userId: string;
  /** The user's. */
  incarnation: number;
  byServer: boolean;
  conversationId: string;
  size: number;
  contentType: string;
  origin: string;
  tokenHash: Buffer;
  createdAt: number;
  /** Empty: none. */
  filename: string;
};

/** Starts an upload, which is counted: see `addUsage`. */
export async function insertContent(sql: Sql, content: NewContent): Promise<ContentRow> {
  const [row] = await sql.query<ContentRow>({
    text: `
      insert into content
        (app_id, id, user_id, by_server, conversation_id, size, content_type, origin, token_hash, created_at, active_at,
          incarnation, filename, counted)
      values ($1, $2, nullif($3, ''), $4, nullif($5, '')::uuid, $6, $7, nullif($8, ''), $9,
        to_timestamp($10 / 1000.0), to_timestamp($10 / 1000.0), nullif($11::float8, 0), nullif($12, ''), true)
      returning ${COLUMNS}`,
    values: [
      content.appId,
      content.id,
      content.userId,
      content.byServer,
      content.conversationId,
      content.size,
      content.contentType,
      content.origin,
      content.tokenHash,
      content.createdAt,
      content.incarnation,
      content.filename,
    ],
  });
  if (!row) throw new Error('insert of content returned no row');
  return row;
}

export async function findContent(
  sql: Sql,
  { appId, id }: { appId: string; id: string },
): Promise<ContentRow | undefined> {
  const [row] = await sql.query<ContentRow>({
    text: `select ${COLUMNS} from content where app_id = $1 and id = $2`,
    values: [appId, id],
  });
  return row;
}

/** Serializes transactions that start an upload for the same user. */
export async function lockUploadsOfUser(sql: Sql, appId: string, userId: string): Promise<void> {
  await sql.execute({
    text: `select pg_advisory_xact_lock(hashtextextended($1 || '/' || $2, 1))`,
    values: [appId, userId],
  });
}

/** How many unfinished uploads of a user have made progress since a time. */
export async function countUploadsOfUser(
  sql: Sql,
  user: { appId: string; userId: string; incarnation: number; activeSince: number },
): Promise<number> {
  const [row] = await sql.query<{ count: number }>({
    text: `
      select count(*) from content
      where app_id = $1 and user_id = $2 and status = ${STATUS.uploading} and active_at > to_timestamp($3 / 1000.0)
        and coalesce(incarnation, 0) >= $4`,
    values: [user.appId, user.userId, user.activeSince, user.incarnation],
  });
  return row?.count ?? 0;
}

export async function findContentByToken(sql: Sql, tokenHash: Buffer): Promise<ContentRow | undefined> {
  const [row] = await sql.query<ContentRow>({
    name: 'find_content_by_token',
    text: `select ${COLUMNS} from content where token_hash = $1`,
    values: [tokenHash],
  });
  return row;
}

/** The completely uploaded contents among some ids. */
export function listUploaded(sql: Sql, appId: string, ids: readonly string[]): Promise<ContentRow[]> {
  return sql.query<ContentRow>({
    name: 'list_uploaded',
    text: `
      select ${COLUMNS} from content
      where app_id = $1 and id = any ($2::uuid[]) and status = ${STATUS.uploaded}`,
    values: [appId, ids],
  });
}

/** Locks uploaded contents: none of them is removed before this transaction ends. */
export function lockUploaded(sql: Sql, appId: string, ids: readonly string[]): Promise<ContentRow[]> {
  return sql.query<ContentRow>({
    text: `
      select ${COLUMNS} from content
      where app_id = $1 and id = any ($2::uuid[]) and status = ${STATUS.uploaded}
      order by id for no key update`,
    values: [appId, ids],
  });
}

/** Cancels an upload. False when it was complete or had ended already. */
export async function cancelUpload(
  sql: Sql,
  content: { appId: string; id: string; at: number },
): Promise<boolean> {
  const ended = await sql.execute({
    text: `
      update content set status = ${STATUS.cancelled}, ended_at = to_timestamp($3 / 1000.0)
      where app_id = $1 and id = $2 and status = ${STATUS.uploading}`,
    values: [content.appId, content.id, content.at],
  });
  return ended > 0;
}

/** Names contents, by id, that have no name yet; they are locked. */
export async function nameContents(
  sql: Sql,
  appId: string,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  await sql.execute({
    text: `
      update content set filename = given.name
      from unnest($2::uuid[], $3::text[]) given (id, name)
      where app_id = $1 and content.id = given.id and filename is null`,
    values: [appId, [...names.keys()], [...names.values()]],
  });
}
