import type { Sql } from '@parley/kit/postgres';

export type CutRef = { appId: string; cutId: string };

/** Conversations of a cut, and the position of the last message of each. */
export type CutChunk = { chunk: number; conversation_ids: string[]; heads: number[] };

/** Conversations of one chunk. */
const CHUNK = 1000;

/** Allows the statement more time than others: it reads every conversation of the app at one moment. */
export async function allowCutTime(sql: Sql, ms: number): Promise<void> {
  await sql.query({ text: `select set_config('statement_timeout', $1, true)`, values: [String(ms)] });
}

/** Makes another call for the same cut wait until the end of the transaction. */
export async function lockCut(sql: Sql, { cutId }: CutRef): Promise<void> {
  await sql.query({
    text: `select pg_advisory_xact_lock(hashtextextended('export-cut ' || $1::text, 0))`,
    values: [cutId],
  });
}

/** Stores at least one chunk, so that a cut without conversations exists, too. */
export async function insertCut(sql: Sql, { appId, cutId }: CutRef): Promise<void> {
  await sql.execute({
    name: 'insert_export_cut',
    text: `
      insert into export_cut (app_id, cut_id, chunk, conversation_ids, heads)
      select $1::uuid, $2::uuid, number / ${CHUNK}, array_agg(id order by number), array_agg(head order by number)
      from (
        select id, head, row_number() over (order by created_at, id) - 1 as number
        from conversation where app_id = $1 and deleted_at is null
      ) numbered
      group by number / ${CHUNK}
      union all
      select $1::uuid, $2::uuid, 0, '{}', '{}'
      where not exists (select from conversation where app_id = $1 and deleted_at is null)`,
    values: [appId, cutId],
  });
}

export async function hasCut(sql: Sql, { appId, cutId }: CutRef): Promise<boolean> {
  const text = 'select from export_cut where app_id = $1 and cut_id = $2 and chunk = 0';
  return (await sql.execute({ name: 'has_export_cut', text, values: [appId, cutId] })) > 0;
}

export async function findCutChunk(
  sql: Sql,
  { appId, cutId }: CutRef,
  chunk: number,
): Promise<CutChunk | undefined> {
  const [row] = await sql.query<CutChunk>({
    name: 'find_export_cut_chunk',
    text: `
      select chunk, conversation_ids, heads from export_cut where app_id = $1 and cut_id = $2 and chunk = $3`,
    values: [appId, cutId, chunk],
  });
  return row;
}

export async function deleteCut(sql: Sql, { appId, cutId }: CutRef): Promise<void> {
  await sql.execute({
    name: 'delete_export_cut',
    text: 'delete from export_cut where app_id = $1 and cut_id = $2',
    values: [appId, cutId],
  });
}

export async function deleteCutsBefore(sql: Sql, time: number): Promise<void> {
  await sql.execute({
    text: 'delete from export_cut where created_at < to_timestamp($1::float8 / 1000)',
    values: [time],
  });
}
