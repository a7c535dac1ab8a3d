import { lookUp } from '@parley/kit/postgres/look-up';
import { isAwaited } from '../log/event-interest.ts';
import { rowParameters } from '../row-parameters.ts';
import { textOf, type Condition, type Statement } from '../statement.ts';

/** Values that stay the same while a conversation is unchanged. `changed_at`: milliseconds. */
export type ConversationVersion = {
  app_id: string;
  id: string;
  seq: number;
  head: number;
  changed_at: number;
};

const IS_UNCHANGED = `c.seq = cached.seq and c.head = cached.head
        and c.changed_at = to_timestamp(cached.changed_at / 1000)`;

export const VERSION = rowParameters<ConversationVersion>('cached', {
  app_id: 'uuid',
  id: 'uuid',
  seq: 'int8',
  head: 'int8',
  changed_at: 'float8',
});

/** The text of `lockUnchangedConversations`. */
export function lockUnchangedText(cached: string): string {
  return `
      select from ${cached}
      join conversation c on c.app_id = cached.app_id and c.id = cached.id
      where ${IS_UNCHANGED}
      order by c.app_id, c.id
      for no key update of c skip locked`;
}

/**
 * Locks, without waiting, the conversations that still have the given version. Every transaction that changes a conversation, the
 * progress of a participant or a bitmap moves `seq`, `head` or `changed_at`. A conversation that changes between the
 * statement's snapshot and its lock may be locked, too: Postgres compares again after it has locked.
 */
export function lockUnchangedConversations(versions: readonly ConversationVersion[]): Statement {
  const cached = VERSION.of(versions);
  const name = `lock_unchanged_conversations${cached.suffix}`;
  return { name, text: textOf(name, () => lockUnchangedText(cached.sql)), values: cached.values };
}

/** A message of normal significance from a cached participant, and the cached state of its sender and its application. */
export type CachedSend = {
  app_id: string;
  conversation_id: string;
  id: string;
  user_id: string;
  identity_version: number | null;
  incarnation: number | null;
  read_until: number;
  is_awaited: boolean;
  type_name: string;
  type_version: string | null;
};

export const SEND = rowParameters<CachedSend>('item', {
  app_id: 'uuid',
  conversation_id: 'uuid',
  id: 'uuid',
  user_id: 'text',
  identity_version: 'float8',
  incarnation: 'float8',
  read_until: 'int8',
  is_awaited: 'boolean',
  type_name: 'text',
  type_version: 'uuid',
});

/**
 * Checks that this transaction has locked all conversations and that they have the given versions, that no id is taken, that the
 * senders' identities and read watermarks are the cached ones, that no participant blocks them, and that it is still the same whether
 * another service awaits the events of each application, that the types of the conversations are the cached ones, and that no sender is
 * restricted in the application. Must run after `lockUnchangedConversations`: only a row that this
 * transaction locked has its id in `xmax`.
 */
export function isCacheCurrent(
  versions: readonly ConversationVersion[],
  sends: readonly CachedSend[],
): Condition {
  const cached = VERSION.of(versions);
  const item = SEND.of(sends, cached.values.length + 1);
  const name = `cache_is_current${cached.suffix}_for_sends${item.suffix}`;
  return {
    name,
    text: textOf(name, () => conditionText(cached.sql, item.sql)),
    values: [...cached.values, versions.length, ...item.values],
  };
}

function conditionText(cached: string, item: string): string {
  return `
      select (
        select count(*) from ${cached}
        cross join lateral (
          select from conversation c
          where c.app_id = cached.app_id and c.id = cached.id and c.xmax = pg_current_xact_id()::xid
            and ${IS_UNCHANGED} offset 0
        ) held
      ) = $6::int8 and not exists (${changedSends(item)}) as holds`;
}

/** SQL for the sends (rows `item`) of which some value differs from the cached one. */
export function changedSends(item: string): string {
  return `
        select from ${item}
        left join ${lookUp('identity_copy', 'i', 'i.app_id = item.app_id and i.user_id = item.user_id')} on true
        left join ${lookUp(
          'participant',
          'own',
          `own.app_id = item.app_id and own.conversation_id = item.conversation_id
          and own.user_id = item.user_id`,
        )} on true
        left join ${lookUp('message', 'm', 'm.app_id = item.app_id and m.id = item.id')} on true
        left join ${lookUp('conversation_type', 't', 't.app_id = item.app_id and t.name = item.type_name')} on true
        left join ${lookUp('scheduled_message', 's', 's.app_id = item.app_id and s.id = item.id')} on true
        left join lateral (
          select true as is_blocked from block_copy b
          join ${lookUp(
            'participant',
            'p',
            `p.app_id = b.app_id and p.conversation_id = item.conversation_id
            and p.user_id = b.owner_user_id and p.left_seq is null`,
          )} on true
          where b.app_id = item.app_id and b.blocked_user_id = item.user_id and b.owner_user_id <> item.user_id
          offset 0
        ) blocked on true
        where i.version is distinct from item.identity_version or i.incarnation is distinct from item.incarnation
          or own.read_until is distinct from item.read_until
          or ${isAwaited('item.app_id')} <> item.is_awaited
          or t.version is distinct from item.type_version or i.restriction is not null
          or m.id is not null or s.id is not null or blocked.is_blocked
      `;
}
