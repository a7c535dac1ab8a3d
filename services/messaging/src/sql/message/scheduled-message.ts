import { keepPlaces } from '@parley/kit/durable/gone-items';
import type { Sql, Tx } from '@parley/kit/postgres';
import { withheldFrom } from '../identity/withheld.ts';
import { column } from '../statement.ts';

export type ScheduledRef = { appId: string; id: string };

export type ScheduledKey = ScheduledRef & { conversationId: string };

/** The time at which a scheduled message is due. */
export type DueRow = {
  app_id: string;
  id: string;
  conversation_id: string;
  due_at: number;
  /** Null: its sender does not appear typing, or appears typing already. */
  typing_at: number | null;
};

/** A scheduled message, with the audience of its typing indicator and the copy of its sender's display fields. */
export type ScheduledRow = {
  app_id: string;
  id: string;
  conversation_id: string;
  sender_id: string;
  request_id: string | null;
  created_at: number;
  due_at: number;
  typing_at: number | null;
  is_typing: boolean;
  draft: Uint8Array;
  audience_shards: string | null;
  display_name: string | null;
  avatar_url: string | null;
  /** Participants who do not see that the sender types; of one who does not appear typing: empty. */
  hidden_from: string[];
};

export type NewScheduled = Omit<
  ScheduledRow,
  'is_typing' | 'audience_shards' | 'display_name' | 'avatar_url' | 'hidden_from'
> & {
  /** The sender's incarnation; null: 0. */
  incarnation: number | null;
};

/** False: another scheduled message has the id. */
export async function insertScheduledMessage(tx: Tx, row: NewScheduled): Promise<boolean> {
  const inserted = await tx.execute({
    name: 'insert_scheduled_message',
    text: `
      insert into scheduled_message
        (app_id, id, conversation_id, sender_id, request_id, created_at, due_at, typing_at, draft,
        incarnation)
      values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000),
        to_timestamp($8::float8 / 1000), $9, $10)
      on conflict do nothing`,
    values: [
      row.app_id,
      row.id,
      row.conversation_id,
      row.sender_id,
      row.request_id,
      row.created_at,
      row.due_at,
      row.typing_at,
      row.draft,
      row.incarnation,
    ],
  });
  return inserted === 1;
}

const WITHHELD = withheldFrom({
  appId: 's.app_id',
  conversationId: 's.conversation_id',
  actorId: 's.sender_id',
});

const COLUMNS = `s.app_id, s.id, s.conversation_id, s.sender_id, s.request_id, s.created_at, s.due_at, s.typing_at,
      s.is_typing, s.draft, c.audience_shards, i.display_name, i.avatar_url,
      case when s.is_typing then array(${WITHHELD}) else '{}' end as hidden_from`;

/** The columns of ScheduledRow. `rows`: a subquery, or a name, with the columns of the table. */
export function selectScheduled(rows: string, ...further: string[]): string {
  return `
    select ${[COLUMNS, ...further].join(', ')}
    from ${rows} s
    left join conversation c on c.app_id = s.app_id and c.id = s.conversation_id
    left join identity_copy i on i.app_id = s.app_id and i.user_id = s.sender_id`;
}

export async function findScheduledMessage(sql: Sql, ref: ScheduledRef): Promise<ScheduledRow | undefined> {
  const [row] = await sql.query<ScheduledRow>({
    name: 'find_scheduled_message',
    text: `${selectScheduled('scheduled_message')} where s.app_id = $1 and s.id = $2`,
    values: [ref.appId, ref.id],
  });
  return row;
}

/** SQL that keeps where messages stood that a `with` query deletes. A page may begin behind one of them. */
export function keepScheduledPlaces(deleted: string): string {
  return keepPlaces(deleted, { list: 'conversation_id::text', place: 'due_at' });
}

export type ScheduledPage = {
  appId: string;
  conversationId: string;
  /** Null: from the first. */
  after: { dueAt: number; id: string } | null;
  limit: number;
  /** Bytes. */
  budget: number;
};

/** Bytes of an encoded message beyond its draft. */
const SCHEDULED_BYTES = 512;

/** Lists as many scheduled messages as fit, and at least one. `found`: their number up to the limit. The sizes are read before the drafts. */
export function listScheduledMessages(
  sql: Sql,
  page: ScheduledPage,
): Promise<(ScheduledRow & { found: number })[]> {
  const fitting = `(
    select * from (
      select page.*, count(*) over () as found, row_number() over (order by page.due_at, page.id) as place,
        sum(octet_length(page.draft) + ${SCHEDULED_BYTES}) over (order by page.due_at, page.id) as upto
      from (
        select * from scheduled_message s where s.app_id = $1 and s.conversation_id = $2
          and ($3::float8 is null or (s.due_at, s.id) > (to_timestamp($3::float8 / 1000), $4::uuid))
        order by s.due_at, s.id limit $5
      ) page
    ) sized where place = 1 or upto <= $6::int8)`;
  return sql.query<ScheduledRow & { found: number }>({
    name: 'list_scheduled_messages',
    text: `${selectScheduled(fitting, 's.found')} order by s.due_at, s.id`,
    values: [
      page.appId,
      page.conversationId,
      page.after?.dueAt ?? null,
      page.after?.id ?? null,
      page.limit,
      page.budget,
    ],
  });
}

/** The number is bounded by the limit of scheduled messages in a conversation. */
export async function countScheduledMessages(
  sql: Sql,
  ref: { appId: string; conversationId: string },
): Promise<number> {
  const [row] = await sql.query<{ total: number }>({
    name: 'count_scheduled_messages',
    text: 'select count(*) as total from scheduled_message where app_id = $1 and conversation_id = $2',
    values: [ref.appId, ref.conversationId],
  });
  return row?.total ?? 0;
}

/** Messages that are due until a time, including overdue ones. */
export function listDueMessages(
  sql: Sql,
  { until, limit }: { until: number; limit: number },
): Promise<DueRow[]> {
  return sql.query<DueRow>({
    name: 'list_due_messages',
    text: `
      select app_id, id, conversation_id, due_at, typing_at from (
        select app_id, id, conversation_id, due_at, case when not is_typing then typing_at end as typing_at
        from scheduled_message where due_at <= to_timestamp($1::float8 / 1000) order by due_at limit $2
      ) as sent
      union
      select app_id, id, conversation_id, due_at, typing_at from (
        select app_id, id, conversation_id, due_at, typing_at
        from scheduled_message where not is_typing and typing_at <= to_timestamp($1::float8 / 1000)
        order by typing_at limit $2
      ) as typing`,
    values: [until, limit],
  });
}

/**
 * Lists due messages of each application, at most `limitOfApp` of each, so that one application's messages do not crowd out
 * another's.
 */
export function listDueMessagesByApp(
  sql: Sql,
  { until, limitOfApp }: { until: number; limitOfApp: number },
): Promise<DueRow[]> {
  return sql.query<DueRow>({
    name: 'list_due_messages_by_app',
    text: `
      with recursive app as (
        (select app_id from scheduled_message order by app_id, due_at limit 1)
        union all
        select next.app_id from app cross join lateral (
          select s.app_id from scheduled_message s where s.app_id > app.app_id order by s.app_id, s.due_at limit 1) next
      )
      select due.* from app cross join lateral (
        (select s.app_id, s.id, s.conversation_id, s.due_at, case when not s.is_typing then s.typing_at end as typing_at
          from scheduled_message s where s.app_id = app.app_id and s.due_at <= to_timestamp($1::float8 / 1000)
          order by s.app_id, s.due_at limit $2)
        union
        (select s.app_id, s.id, s.conversation_id, s.due_at, s.typing_at
          from scheduled_message s
          where s.app_id = app.app_id and not s.is_typing and s.typing_at <= to_timestamp($1::float8 / 1000)
          order by s.app_id, s.typing_at limit $2)) due`,
    values: [until, limitOfApp],
  });
}

// The rows that exist and that no other transaction has locked.
const LOCK_WANTED = `
  select s.app_id, s.id from unnest($1::uuid[], $2::uuid[]) as ref (app_id, id)
  join scheduled_message s on s.app_id = ref.app_id and s.id = ref.id
  for update of s skip locked`;

/**
 * Deletes messages that are to be sent in this transaction, and returns them. Skips messages that another transaction
 * took.
 */
export function takeScheduledMessages(tx: Tx, refs: readonly ScheduledRef[]): Promise<ScheduledRow[]> {
  return tx.query<ScheduledRow>({
    name: 'take_scheduled_messages',
    text: `
      with wanted as (${LOCK_WANTED}),
      taken as (
        delete from scheduled_message s using wanted where s.app_id = wanted.app_id and s.id = wanted.id returning s.*
      ),
      kept as (${keepScheduledPlaces('taken')})
      ${selectScheduled('taken')} order by s.due_at, s.id`,
    values: [column(refs, 'appId'), column(refs, 'id')],
  });
}

/** Marks senders as typing, and returns the messages of those who did not appear typing before. */
export function markTyping(tx: Tx, refs: readonly ScheduledRef[]): Promise<ScheduledRow[]> {
  return tx.query<ScheduledRow>({
    name: 'mark_scheduled_typing',
    text: `
      with wanted as (${LOCK_WANTED}),
      marked as (
        update scheduled_message s set is_typing = true from wanted
        where s.app_id = wanted.app_id and s.id = wanted.id and not s.is_typing returning s.*
      )
      ${selectScheduled('marked')}`,
    values: [column(refs, 'appId'), column(refs, 'id')],
  });
}

export type DropQuery = {
  appId: string;
  conversationId: string;
  /** Null: of all senders. */
  senderIds: readonly string[] | null;
};

/**
 * Drops scheduled messages of a locked conversation. Skips rows that another transaction has locked: the rules of every
 * send refuse them when they are due.
 */
export function dropScheduledMessages(tx: Tx, query: DropQuery): Promise<ScheduledRow[]> {
  return tx.query<ScheduledRow>({
    name: 'drop_scheduled_messages',
    text: `
      with wanted as (
        select app_id, id from scheduled_message
        where app_id = $1 and conversation_id = $2 and ($3::text[] is null or sender_id = any ($3::text[]))
        for update skip locked
      ),
      dropped as (
        delete from scheduled_message s using wanted where s.app_id = wanted.app_id and s.id = wanted.id returning s.*
      ),
      kept as (${keepScheduledPlaces('dropped')})
      ${selectScheduled('dropped')}`,
    values: [query.appId, query.conversationId, query.senderIds],
  });
}

/** Undefined: it does not exist, or was sent in the meantime. */
export async function deleteScheduledMessage(
  tx: Tx,
  ref: ScheduledRef & { conversationId: string },
): Promise<ScheduledRow | undefined> {
  const [row] = await tx.query<ScheduledRow>({
    name: 'delete_scheduled_message',
    text: `
      with dropped as (
        delete from scheduled_message where app_id = $1 and id = $2 and conversation_id = $3 returning *
      ),
      kept as (${keepScheduledPlaces('dropped')})
      ${selectScheduled('dropped')}`,
    values: [ref.appId, ref.id, ref.conversationId],
  });
  return row;
}
