import type { Sql, Tx } from '@parley/kit/postgres';
import { EXACT_UP_TO } from '@parley/usage/distinct';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';

const SUMS = [
  'messages',
  'scheduled_messages',
  'lateness_ms',
  'socket_deliveries',
  'webhook_deliveries',
  'failed_webhook_attempts',
  'push_deliveries',
  'failed_push_attempts',
  'requests',
  'limited_requests',
  'failed_requests',
  'sockets',
] as const;
const MAXIMUM = 'max_lateness_ms';
export const FIGURE_COLUMNS = [...SUMS, MAXIMUM] as const;
export type FigureColumn = (typeof FIGURE_COLUMNS)[number];

export type FigureRow = Record<FigureColumn, number> & {
  /** The nil uuid stands for the whole platform. */
  appId: string;
  /** Milliseconds since the epoch. */
  minute: number;
  /** Hashes in order. */
  userHashes: readonly number[];
};

export type FigureBatch = { processId: string; batch: number; now: number };

/** Records a batch of a process; false: it was recorded before. A repetition waits until the first has committed or rolled back. */
export async function takeFigureBatch(tx: Tx, { processId, batch, now }: FigureBatch): Promise<boolean> {
  const taken = await tx.execute({
    name: 'take_figure_batch',
    text: `
      insert into figure_process as known (process_id, batch, seen_at) values ($1, $2, to_timestamp($3::float8 / 1000))
      on conflict (process_id) do update set batch = excluded.batch, seen_at = excluded.seen_at
      where known.batch < excluded.batch`,
    values: [processId, batch, now],
  });
  return taken > 0;
}

const COLUMNS = FIGURE_COLUMNS.join(', ');
const PARAMETERS = FIGURE_COLUMNS.map((_, index) => `$${index + 4}::bigint[]`).join(', ');
const ADDITIONS = SUMS.map((name) => `${name} = known.${name} + excluded.${name}`).join(', ');

/**
 * Adds to the figures of applications by minute. `rows` has at most one row for an application and minute; rows of unknown and deleted applications are
 * dropped. The rows of the platform, which all batches share, are locked last and so for the shortest time.
 */
export async function addFigures(tx: Tx, rows: readonly FigureRow[]): Promise<void> {
  await tx.execute({
    name: 'add_figures',
    text: `
      insert into figure as known (app_id, minute, user_hashes, ${COLUMNS})
      select app_id, to_timestamp(minute / 1000), user_hashes::bigint[], ${COLUMNS}
      from unnest($1::uuid[], $2::float8[], $3::text[], ${PARAMETERS}) as row (app_id, minute, user_hashes, ${COLUMNS})
      where app_id = '${NIL_UUID}' or exists (select from app where app.id = row.app_id and app.deleted_at is null)
      order by app_id desc, minute
      on conflict (app_id, minute) do update set ${ADDITIONS},
        ${MAXIMUM} = greatest(known.${MAXIMUM}, excluded.${MAXIMUM}),
        user_hashes = case when excluded.user_hashes = '{}' then known.user_hashes else array(
          select distinct hash from unnest(known.user_hashes || excluded.user_hashes) as hash
          order by hash limit ${EXACT_UP_TO}) end`,
    values: [
      rows.map(({ appId }) => appId),
      rows.map(({ minute }) => minute),
      rows.map(({ userHashes }) => `{${userHashes.join()}}`),
      ...FIGURE_COLUMNS.map((name) => rows.map((row) => row[name])),
    ],
  });
}

/** Times in milliseconds since the epoch, `to` exclusive. */
export type FigureSpan = { appId: string; from: number; to: number; stepMs: number };
export type FigureStep = Record<FigureColumn, number> & { start: number };

const SUMMED = SUMS.filter((name) => name !== 'sockets').map((name) => `sum(${name})::float8 as ${name}`);

/** The steps of a span in which anything was counted. */
export function listFigures(sql: Sql, { appId, from, to, stepMs }: FigureSpan): Promise<FigureStep[]> {
  return sql.query<FigureStep>({
    name: 'list_figures',
    text: `
      select floor(extract(epoch from minute)::float8 * 1000 / $4::float8) * $4::float8 as start, ${SUMMED.join(', ')},
        max(sockets)::float8 as sockets, max(${MAXIMUM})::float8 as ${MAXIMUM}
      from figure
      where app_id = $1 and minute >= to_timestamp($2::float8 / 1000) and minute < to_timestamp($3::float8 / 1000)
      group by 1`,
    values: [appId, from, to, stepMs],
  });
}

export type ActiveUsersRow = { start: number; kept: number; largest: number };

/**
 * How many of the smallest hashes of users each step has, and the largest of them. What is larger than the last hash of a full minute
 * is not among the smallest of its step, and is left out before hashes are compared.
 */
export function listActiveUsers(
  sql: Sql,
  { appId, from, to, stepMs }: FigureSpan,
): Promise<ActiveUsersRow[]> {
  return sql.query<ActiveUsersRow>({
    name: 'list_active_users',
    text: `
      with counted as (
        select floor(extract(epoch from minute)::float8 * 1000 / $4::float8) * $4::float8 as start, user_hashes
        from figure
        where app_id = $1 and minute >= to_timestamp($2::float8 / 1000) and minute < to_timestamp($3::float8 / 1000)
          and user_hashes <> '{}'
      ), bound as (
        select start, min(user_hashes[${EXACT_UP_TO}]) as largest from counted group by start
      ), ranked as (
        select start, hash, row_number() over (partition by start order by hash) as rank
        from (
          select distinct start, hash from counted join bound using (start), unnest(user_hashes) as hash
          where hash <= coalesce(bound.largest, hash)
        ) as seen
      )
      select start, count(*)::float8 as kept, max(hash)::float8 as largest from ranked
      where rank <= ${EXACT_UP_TO} group by start`,
    values: [appId, from, to, stepMs],
  });
}

/** Deletes at most `limit` minutes of applications before a time; returns how many. */
export function deleteFiguresBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from figure where (app_id, minute) in (
        select app_id, minute from figure where minute < to_timestamp($1::float8 / 1000) order by minute limit $2)`,
    values: [time, limit],
  });
}

/** Deletes at most `limit` processes without a batch since a time; returns how many. */
export function deleteFigureProcessesBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from figure_process where process_id = any (array(
        select process_id from figure_process where seen_at < to_timestamp($1::float8 / 1000)
        order by seen_at limit $2))`,
    values: [time, limit],
  });
}
