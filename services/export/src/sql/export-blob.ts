import type { Sql } from '@parley/kit/postgres';

export type NewExportBlob = { key: string; appId: string; exportId: string; runId: string };

/** Records a blob before it is written, so that it is removed even if its run crashes. */
export async function insertExportBlob(sql: Sql, blob: NewExportBlob): Promise<void> {
  await sql.execute({
    name: 'insert_export_blob',
    text: 'insert into export_blob (key, app_id, export_id, run_id) values ($1, $2, $3, $4)',
    values: [blob.key, blob.appId, blob.exportId, blob.runId],
  });
}

/** Blobs of deleted exports, and of runs that failed or were replaced by another run; by key, those after `after`. */
export function listUnneededBlobs(
  sql: Sql,
  { after, limit }: { after: string; limit: number },
): Promise<{ key: string }[]> {
  return sql.query<{ key: string }>({
    name: 'list_unneeded_blobs',
    text: `
      select b.key from export_blob b
      left join export e on e.app_id = b.app_id and e.id = b.export_id
      where e.run_id is distinct from b.run_id and b.key > $1
      order by b.key limit $2`,
    values: [after, limit],
  });
}

export async function deleteExportBlob(sql: Sql, key: string): Promise<void> {
  await sql.execute({ text: 'delete from export_blob where key = $1', values: [key] });
}

/** Whether blobs of an application may still be in the store. */
export async function hasBlobs(sql: Sql, appId: string): Promise<boolean> {
  const text = 'select from export_blob where app_id = $1 order by app_id, export_id limit 1';
  return (await sql.execute({ text, values: [appId] })) > 0;
}
