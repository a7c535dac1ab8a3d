import type { Sql } from '../../postgres/index.ts';

/**
 * Messages that a service publishes after its events, on a subject of its own: as long as the stream has such a message, it has everything
 * stored before. `oldest_at`: time of the oldest event stored since the previous milestone; infinity: there is none.
 */
export const MILESTONE_TABLE_SQL = `
create table milestone (
  seq bigint primary key,
  oldest_at timestamptz not null,
  at timestamptz not null default clock_timestamp()
);
`;

/** `ageMs`: milliseconds since it was published. */
export type Milestone = { seq: number; ageMs: number };

/** Lists milestones, the latest first. */
export function listMilestones(sql: Sql): Promise<Milestone[]> {
  return sql.query<Milestone>({
    name: 'milestone_list',
    text: `
      select seq, (extract(epoch from clock_timestamp() - at) * 1000)::float8 as "ageMs"
      from milestone order by seq desc`,
  });
}

/** `oldestAt`: milliseconds since the epoch; undefined: no events were stored. */
export async function addMilestone(sql: Sql, seq: number, oldestAt: number | undefined): Promise<void> {
  await sql.execute({
    name: 'milestone_insert',
    text: `
      insert into milestone (seq, oldest_at) values ($1, coalesce(to_timestamp($2::float8 / 1000), 'infinity'))
      on conflict (seq) do update set oldest_at = least(milestone.oldest_at, excluded.oldest_at), at = excluded.at`,
    values: [seq, oldestAt ?? null],
  });
}

/** Removes the milestones after a sequence. Returns the time of the oldest event stored since then, in milliseconds. */
export async function deleteMilestonesAfter(sql: Sql, seq: number): Promise<number> {
  const [row] = await sql.query<{ since: number }>({
    name: 'milestone_delete_after',
    text: `
      with gone as (delete from milestone where seq > $1 returning oldest_at)
      select coalesce((extract(epoch from min(oldest_at)) * 1000)::float8, 'infinity') as since from gone`,
    values: [seq],
  });
  return row?.since ?? Infinity;
}

/** A removed milestone passes its events on to the next one. */
export type Merger = { seq: number; into: number | undefined };

export async function mergeMilestones(sql: Sql, mergers: readonly Merger[]): Promise<void> {
  if (mergers.length === 0) return;
  await sql.execute({
    name: 'milestone_merge',
    text: `
      with gone as (
        delete from milestone using unnest($1::int8[], $2::int8[]) as merger (seq, into_seq)
        where milestone.seq = merger.seq returning merger.into_seq, milestone.oldest_at
      ), handed as (select into_seq, min(oldest_at) as oldest_at from gone group by into_seq)
      update milestone set oldest_at = least(milestone.oldest_at, handed.oldest_at)
      from handed where milestone.seq = handed.into_seq`,
    values: [mergers.map(({ seq }) => seq), mergers.map(({ into }) => into ?? null)],
  });
}

/** Milestones younger than this are all kept. Milliseconds. */
const SPACING_MS = 5_000;

/**
 * Chooses unnecessary milestones: those older than the stream's messages, and among those of similar age all but the oldest. This keeps
 * few, and the lost ones show how far back the stream was lost, to a factor of about two. The latest comes first and is kept.
 */
export function chooseMergers(milestones: readonly Milestone[], maxAgeMs: number): Merger[] {
  const mergers: Merger[] = [];
  let kept: Milestone | undefined;
  for (const [index, one] of milestones.entries()) {
    const older = milestones[index + 1];
    const isAlike = older !== undefined && magnitudeOf(older) === magnitudeOf(one) && index > 0;
    if (one.ageMs > maxAgeMs) mergers.push({ seq: one.seq, into: undefined });
    else if (isAlike) mergers.push({ seq: one.seq, into: kept?.seq });
    else kept = one;
  }
  return mergers;
}

function magnitudeOf({ ageMs }: Milestone): number {
  return Math.floor(Math.log2(Math.max(1, ageMs / SPACING_MS)));
}
