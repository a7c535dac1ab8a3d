import type { Sql } from '@parley/kit/postgres';

// A reader must see every revocation although transactions commit out of order. So each row bears the id of its
// transaction, and the cursor is the snapshot's xmin: every transaction before it has ended, so its rows are in this
// answer or in an earlier one. Rows at or after the cursor are answered as well, and again until xmin has passed
// them; a repeated revocation does no harm.

/** Subject of a revocation: one of these ids, or none for the whole application. */
export type RevocationSubject = { sessionId?: string; accessTokenId?: string; userId?: string };

export type RevocationRow = {
  app_id: string;
  session_id: string | null;
  access_token_id: string | null;
  user_id: string | null;
};

export type RevocationPage = {
  /** All revocations of transactions before it have been answered. */
  xmin: number;
  /** Revocations of transactions before it may have been deleted. */
  horizon: number;
  rows: RevocationRow[];
};

/** Adds revocations of one application. */
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

/** Lists at most `limit` revocations since a cursor; none for cursor 0. */
export async function listRevocationsSince(sql: Sql, cursor: number, limit: number): Promise<RevocationPage> {
  const rows = await sql.query<
    { xmin: number; horizon: number; app_id: string | null } & Omit<RevocationRow, 'app_id'>
  >({
    name: 'list_revocations_since',
    text: `
      select present.xmin, horizon.xid as horizon, listed.app_id, listed.session_id, listed.access_token_id, listed.user_id
      from (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin) as present
      cross join revocation_horizon as horizon
      left join lateral (
        select * from revocation where $1 > 0 and revocation.xid >= $1 order by revocation.xid limit $2
      ) as listed on true
      order by listed.xid`,
    values: [cursor, limit],
  });
  const { xmin = 0, horizon = 0 } = rows[0] ?? {};
  return {
    xmin,
    horizon,
    rows: rows.flatMap((row) => (row.app_id === null ? [] : [{ ...row, app_id: row.app_id }])),
  };
}

/** Deletes at most `limit` revocations before a time and moves the horizon; returns how many. */
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
