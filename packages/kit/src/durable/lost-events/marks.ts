import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../postgres/index.ts';
import type { Stored } from '../../bus/publish.ts';

/**
 * Messages that a stream acknowledged to this service, until a milestone is stored behind it. `seq`: the highest sequence of a series of messages, and
 * `message_id` and `subject` of the message that has it. `oldest_at`: when the oldest of their events was written, or earlier.
 */
export const PUBLISHED_MARK_TABLE_SQL = `
create table published_mark (
  id uuid primary key,
  seq bigint not null,
  subject text not null,
  message_id text not null,
  oldest_at timestamptz not null
);
`;

export type Mark = { seq: number; subject: string; messageId: string };
/** `oldestAt`: milliseconds. */
export type NotedMark = Mark & { id: string; oldestAt: number };

/** A published message and its place in the stream. */
export type Published = { subject: string; messageId: string; stored: Stored };

export function highestOf(published: readonly Published[]): Mark | undefined {
  let highest: Mark | undefined;
  for (const { subject, messageId, stored } of published)
    if (!highest || stored.seq > highest.seq) highest = { seq: stored.seq, subject, messageId };
  return highest;
}

/** Records messages whose events are not older than `oldestAt` (milliseconds). */
export async function noteMark(sql: Sql, { seq, subject, messageId }: Mark, oldestAt: number): Promise<void> {
  await sql.execute({
    name: 'published_mark_insert',
    text: `
      insert into published_mark (id, seq, subject, message_id, oldest_at)
      values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))`,
    values: [uuidv7(), seq, subject, messageId, oldestAt],
  });
}

/**
 * Returns some of the marks. Since the statement writes, and so waits for the disk, the deletions of their outbox rows are on disk, too: a
 * row that reappeared after a crash would be dropped as a repeat of the message that probes for its id.
 */
export function takeMarks(sql: Sql, limit: number): Promise<NotedMark[]> {
  return sql.query<NotedMark>({
    name: 'published_mark_take',
    text: `
      update published_mark set seq = seq
      where id = any (array(select id from published_mark order by id limit $1 for update skip locked))
      returning id, seq, subject, message_id as "messageId", (extract(epoch from oldest_at) * 1000)::float8 as "oldestAt"`,
    values: [limit],
  });
}

/** Removes marks, except those that name a later message by now. */
export async function deleteMarks(sql: Sql, marks: readonly NotedMark[]): Promise<void> {
  if (marks.length === 0) return;
  await sql.execute({
    name: 'published_mark_delete',
    text: `
      delete from published_mark mark using unnest($1::uuid[], $2::int8[]) as gone (id, seq)
      where mark.id = gone.id and mark.seq = gone.seq`,
    values: [marks.map(({ id }) => id), marks.map(({ seq }) => seq)],
  });
}
