import type { Database, Sql } from '../../postgres/index.ts';
import { MILESTONE_TABLE_SQL } from './milestones.ts';

/** Tables, beside those of the outbox, of every service that refills a stream, created by its migrations. */
export const FILLED_STREAM_TABLE_SQL = `
create table filled_stream (
  name text primary key,
  made_at text not null,
  lost_since timestamptz,
  losses integer not null default 0
);
${MILESTONE_TABLE_SQL}`;

export type FilledStream = {
  /** Creation time of the filled stream, as formatted by the server. */
  madeAt: string;
  /** Events written since this time may be lost (milliseconds); null: none. */
  lostSince: number | null;
  /** Number of recorded losses. */
  losses: number;
};

export async function findFilledStream(db: Database, name: string): Promise<FilledStream | undefined> {
  const [row] = await db.query<FilledStream>({
    name: 'filled_stream_find',
    text: `
      select made_at as "madeAt", (extract(epoch from lost_since) * 1000)::float8 as "lostSince", losses
      from filled_stream where name = $1`,
    values: [name],
  });
  return row;
}

/** Records that events written since `since` (milliseconds) must be published again. */
export async function addLoss(sql: Sql, name: string, since: number): Promise<void> {
  await sql.execute({
    name: 'filled_stream_lose',
    text: `
      insert into filled_stream (name, made_at, lost_since, losses) values ($1, '', to_timestamp($2::float8 / 1000), 1)
      on conflict (name) do update set losses = filled_stream.losses + 1,
        lost_since = least(filled_stream.lost_since, excluded.lost_since)`,
    values: [name, since],
  });
}

/** Records that the stream is complete again, unless another loss was recorded meanwhile. */
export async function setFilled(db: Database, name: string, { madeAt, losses }: FilledStream): Promise<void> {
  await db.execute({
    name: 'filled_stream_fill',
    text: `
      insert into filled_stream (name, made_at, losses) values ($1, $2, $3)
      on conflict (name) do update set made_at = excluded.made_at,
        lost_since = case when filled_stream.losses <> excluded.losses then filled_stream.lost_since end`,
    values: [name, madeAt, losses],
  });
}
