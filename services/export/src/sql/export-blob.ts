import type { Sql } from '@parley/kit/postgres';

export type ExportBlobRow = { key: string; app_id: string; export_id: string; run_id: string };

export async function insertExportBlob(sql: Sql, row: ExportBlobRow): Promise<void> {
  await sql.execute({
    name: 'insert_export_blob',
    text: 'insert into export_blob (key, app_id, export_id, run_id) values ($1, $2, $3, $4)',
    values: [row.key, row.app_id, row.export_id, row.run_id],
  });
}

/** Of deleted exports, and of runs that another one took the place of or that failed; after one of them, by key. */
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

/** Whether something of an application may still be in the store. */
export async function hasBlobs(sql: Sql, appId: string): Promise<boolean> {
  const text = 'select from export_blob where app_id = $1 order by app_id, export_id limit 1';
  return (await sql.execute({ text, values: [appId] })) > 0;
}
