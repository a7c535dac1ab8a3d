import type { Sql } from '@parley/kit/postgres';

/** Records a historical export. False when one was recorded after `since`. Concurrent calls wait for each other. */
export async function claimHistoricalRequest(
  sql: Sql,
  request: { appId: string; exportId: string; at: number; since: number },
): Promise<boolean> {
  const changed = await sql.execute({
    name: 'claim_historical_request',
    text: `
      insert into historical_request as r (app_id, export_id, requested_at)
      values ($1, $2, to_timestamp($3::float8 / 1000))
      on conflict (app_id) do update set export_id = excluded.export_id, requested_at = excluded.requested_at
      where r.requested_at <= to_timestamp($4::float8 / 1000)`,
    values: [request.appId, request.exportId, request.at, request.since],
  });
  return changed > 0;
}

/** Forgets a historical export, so that it does not count against the 24 hours. */
export async function deleteHistoricalRequest(sql: Sql, appId: string, exportId: string): Promise<void> {
  await sql.execute({
    name: 'delete_historical_request',
    text: 'delete from historical_request where app_id = $1 and export_id = $2',
    values: [appId, exportId],
  });
}
