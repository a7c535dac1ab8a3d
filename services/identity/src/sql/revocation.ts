import type { Sql } from '@parley/kit/postgres';

// A reader must see every revocation although transactions commit out of order. So each row carries the id of its
// transaction, and the cursor is the snapshot's xmin: every transaction before it has ended, so what it wrote is in this
// answer or in an earlier one. Rows at or after the cursor are told at once as well, and told again until xmin has passed
// them; forgetting twice does no harm.

/** One of these, or none for the app itself. */
export type RevocationSubject = { sessionId?: string; accessTokenId?: string; userId?: string };

export type RevocationRow = {
  app_id: string;
  session_id: string | null;
  access_token_id: string | null;
  user_id: string | null;
};

export type RevocationPage = {
  /** Every transaction before it is told. */
  xmin: number;
  /** What transactions before it revoked is not known any more. */
  horizon: number;
  rows: RevocationRow[];
};

export async function insertRevocations(
  sql: Sql,
  revoked: { appId: string; subjects: RevocationSubject[]; now: number },
): Promise<void> {
  const values = [
    revoked.appId,
    revoked.subjects.map((subject) => subject.sessionId ?? null),
    revoked.subjects.map((subject) => subject.accessTokenId ?? null),
    revoked.subjects.map((subject) => subject.userId ?? null),
    revoked.now,
  ];
  await sql.execute({
    name: 'insert_revocations',
    text: `
      insert into revocation (app_id, session_id, access_token_id, user_id, created_at)
      select $1::uuid, session_id, access_token_id, user_id, to_timestamp($5 / 1000.0)
      from unnest($2::uuid[], $3::uuid[], $4::text[]) as subject (session_id, access_token_id, user_id)`,
    values,
  });
}

/** At most `limit` rows; cursor 0 gives none. */
export async function listRevocationsSince(sql: Sql, cursor: number, limit: number): Promise<RevocationPage> {
  const rows = await sql.query<
    { xmin: number; horizon: number; app_id: string | null } & Omit<RevocationRow, 'app_id'>
  >({
    name: 'list_revocations_since',
    text: `
      select present.xmin, horizon.xid as horizon, told.app_id, told.session_id, told.access_token_id, told.user_id
      from (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin) as present
      cross join revocation_horizon as horizon
      left join lateral (
        select * from revocation where $1 > 0 and revocation.xid >= $1 order by revocation.xid limit $2
      ) as told on true
      order by told.xid`,
    values: [cursor, limit],
  });
  const { xmin = 0, horizon = 0 } = rows[0] ?? {};
  return {
    xmin,
    horizon,
    rows: rows.flatMap((row) => (row.app_id === null ? [] : [{ ...row, app_id: row.app_id }])),
  };
}

/** Deletes at most `limit` that are older, and moves the horizon. */
export async function deleteRevocationsBefore(sql: Sql, time: number, limit: number): Promise<number> {
  const [row] = await sql.query<{ deleted: number }>({
    text: `
      with gone as (
        delete from revocation where ctid = any (array(
          select ctid from revocation
          where created_at < to_timestamp($1 / 1000.0)
            and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
          order by created_at limit $2))
        returning xid
      ), moved as (
        update revocation_horizon set xid = greatest(xid, (select max(xid) + 1 from gone))
      )
      select count(*) as deleted from gone`,
    values: [time, limit],
  });
  return row?.deleted ?? 0;
}
