import type { Tx } from './index.ts';

export type AppLocks = {
  /** Applications that several transactions may lock in this way at the same time. */
  shared?: readonly string[];
  /** Applications that are locked exclusively. */
  alone?: readonly string[];
};

/**
 * Locks applications for one purpose until the end of the transaction, in the order of their ids. Call it at most once per transaction and
 * purpose: several calls could lock in another order than other transactions do.
 */
export async function lockApps(
  tx: Tx,
  purpose: string,
  { shared = [], alone = [] }: AppLocks,
): Promise<void> {
  const exclusive = new Set(alone);
  const apps = [...new Set([...shared, ...alone])].sort();
  if (apps.length === 0) return;
  await tx.execute({
    name: 'lock_apps',
    text: `
      select case when alone then pg_advisory_xact_lock(key) else pg_advisory_xact_lock_shared(key) end
      from (
        select alone, hashtextextended($1::text || ' ' || app_id, 0) as key
        from unnest($2::text[], $3::boolean[]) with ordinality as app (app_id, alone, place) order by place
      ) as app`,
    values: [purpose, apps, apps.map((app) => exclusive.has(app))],
  });
}
