import type { Query, Sql, Tx } from '@parley/kit/postgres';
import { rowParameters } from '../row-parameters.ts';
import { textOf, WRITE_CONDITION, type Statement } from '../statement.ts';

/** The columns of ConversationRow, from the alias `c`; both times are left as they are. */
const COLUMNS = `c.app_id, c.id, c.created_at, c.seq, c.members_seq, c.head, c.excluded_count, c.deleted_count,
        null::timestamptz as last_message_at, null::timestamptz as changed_at, c.audience_shards,
        c.distinct_key is not null as is_distinct, c.deleted_at, c.type, c.frozen_at, c.frozen_by, c.slow_mode, c.side_tables`;

export type ConversationRef = { appId: string; id: string };

/**
 * The columns that changes of a conversation need. Times in milliseconds; a null `last_message_at` or `changed_at` leaves the stored
 * one as it is.
 */
export type ConversationRow = {
  app_id: string;
  id: string;
  created_at: number;
  seq: number;
  members_seq: number;
  head: number;
  excluded_count: number;
  deleted_count: number;
  last_message_at: number | null;
  changed_at: number | null;
  /** 64 characters `0` or `1`. */
  audience_shards: string;
  is_distinct: boolean;
  deleted_at: number | null;
  /** The name of its type; null: `default`. */
  type: string | null;
  frozen_at: number | null;
  /** The user who froze it; null: a server. */
  frozen_by: string | null;
  /** Seconds; null: as the type says. */
  slow_mode: number | null;
  /** As by `hasSideTable`. */
  side_tables: number;
};

/** A conversation that a transaction has locked. */
export type LockedConversation = ConversationRow & {
  /** The stored `changed_at`. Seconds since the epoch, with microseconds. */
  stored_changed_at: number;
};

/**
 * Locks conversations until the end of the transaction, and returns those that exist, as they are now. Every writing
 * transaction takes this lock first, waits for no other lock, and locks in this order, so that transactions do not
 * deadlock.
 */
export function lockConversations(tx: Tx, refs: readonly ConversationRef[]): Promise<LockedConversation[]> {
  return tx.query<LockedConversation>(lockQuery('lock_conversations', refs));
}

/**
 * Locks the conversations that no other transaction holds, without waiting. A conversation missing among the rows is
 * held, or does not exist.
 */
export function lockFreeConversations(
  tx: Tx,
  refs: readonly ConversationRef[],
): Promise<LockedConversation[]> {
  return tx.query<LockedConversation>(lockQuery('lock_free_conversations', refs, 'skip locked'));
}

/** A conversation as it is stored, without a lock. */
export async function findConversation(
  sql: Sql,
  { appId, id }: ConversationRef,
): Promise<ConversationRow | undefined> {
  const [row] = await sql.query<ConversationRow>({
    name: 'find_conversation',
    text: `select ${COLUMNS} from conversation c where c.app_id = $1 and c.id = $2`,
    values: [appId, id],
  });
  return row;
}

export async function hasConversation(sql: Sql, { appId, id }: ConversationRef): Promise<boolean> {
  const rows = await sql.query({
    name: 'has_conversation',
    text: 'select from conversation where app_id = $1 and id = $2',
    values: [appId, id],
  });
  return rows.length > 0;
}

const WANTED = rowParameters<{ app_id: string; id: string }>('given', { app_id: 'uuid', id: 'uuid' });

function lockQuery(kind: string, refs: readonly ConversationRef[], wait = ''): Query {
  const { sql, values, suffix } = WANTED.of(refs.map(({ appId, id }) => ({ app_id: appId, id })));
  const name = `${kind}${suffix}`;
  const text = textOf(
    name,
    () => `
      select ${COLUMNS}, extract(epoch from c.changed_at)::float8 as stored_changed_at
      from (select distinct app_id, id from ${sql}) as wanted (app_id, id)
      join conversation c on c.app_id = wanted.app_id and c.id = wanted.id
      order by c.app_id, c.id
      for no key update of c ${wait}`,
  );
  return { name, text, values };
}

const COUNTERS = rowParameters<ConversationRow>('row', {
  app_id: 'uuid',
  id: 'uuid',
  seq: 'int8',
  head: 'int8',
  excluded_count: 'int8',
  deleted_count: 'int8',
  last_message_at: 'float8',
  changed_at: 'float8',
});

/** Writes the counters and times of locked conversations, but not `members_seq`. */
export function updateConversations(rows: readonly ConversationRow[]): Statement | undefined {
  if (rows.length === 0) return undefined;
  const row = COUNTERS.of(rows);
  return {
    name: `update_conversations${row.suffix}`,
    text: `
      update conversation c
      set seq = row.seq, head = row.head, excluded_count = row.excluded_count, deleted_count = row.deleted_count,
        last_message_at = coalesce(to_timestamp(row.last_message_at / 1000), c.last_message_at),
        changed_at = coalesce(to_timestamp(row.changed_at / 1000), c.changed_at)
      from ${row.sql}
      where c.app_id = row.app_id and c.id = row.id and ${WRITE_CONDITION}`,
    values: row.values,
  };
}

/**
 * Advances `changed_at` of a locked conversation, so that cached copies become stale, when a participant's progress changes
 * without a new `seq`.
 */
export function touchConversation({ app_id, id }: Pick<ConversationRow, 'app_id' | 'id'>): Statement {
  return {
    name: 'touch_conversation',
    text: `
      update conversation set changed_at = changed_at + interval '1 microsecond'
      where app_id = $1::uuid and id = $2::uuid`,
    values: [app_id, id],
  };
}
