import type { Sql } from '@parley/kit/postgres';
import { STATUS } from './content.ts';

export type ReferenceRow = { conversation_id: string; message_id: string };

/** References to a content, newest message first. */
export function listReferences(
  sql: Sql,
  content: { appId: string; id: string; limit: number },
): Promise<ReferenceRow[]> {
  return sql.query<ReferenceRow>({
    text: `
      select message.conversation_id, message.id as message_id
      from content_reference reference
        join content_message message on message.app_id = reference.app_id and message.id = reference.message_id
      where reference.app_id = $1 and reference.content_id = $2
      order by reference.message_id desc limit $3`,
    values: [content.appId, content.id, content.limit],
  });
}

/** Adds references from a message to contents, which the caller has locked. */
export async function insertReferences(
  sql: Sql,
  { appId, messageId, contentIds }: { appId: string; messageId: string; contentIds: readonly string[] },
): Promise<void> {
  await sql.execute({
    text: `
      with added as (
        insert into content_reference (app_id, content_id, message_id)
        select $1, id, $2 from unnest($3::uuid[]) as wanted (id)
        on conflict do nothing
      )
      update content set unreferenced_since = null
      where app_id = $1 and id = any ($3::uuid[]) and unreferenced_since is not null`,
    values: [appId, messageId, contentIds],
  });
}

/** Deletes the references of messages, except those to the contents in `keep`; returns the ids of contents that lost one. */
export async function deleteReferences(
  sql: Sql,
  {
    appId,
    messageIds,
    keep = [],
  }: { appId: string; messageIds: readonly string[]; keep?: readonly string[] },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `
      with deleted as (
        delete from content_reference
        where app_id = $1 and message_id = any ($2::uuid[]) and not content_id = any ($3::uuid[])
        returning content_id
      )
      select distinct content_id as id from deleted`,
    values: [appId, messageIds, keep],
  });
  return rows.map(({ id }) => id);
}

export type ReferenceLock = {
  appId: string;
  messageIds: readonly string[];
  /** Contents that the messages are about to refer to. */
  ids?: readonly string[];
};

/**
 * Locks the contents that messages refer to, and those in `ids`, until the end of the transaction. To avoid deadlocks a
 * transaction does this once, in the order of ids, and after it has locked the messages.
 */
export async function lockReferencedContent(
  sql: Sql,
  { appId, messageIds, ids }: ReferenceLock,
): Promise<void> {
  await sql.execute({
    text: `
      select id from content
      where app_id = $1 and id in (
        select content_id from content_reference where app_id = $1 and message_id = any ($2::uuid[])
        union select unnest($3::uuid[]))
      order by id for no key update`,
    values: [appId, messageIds, ids ?? []],
  });
}

/** Marks those of the locked contents that no message refers to any more as unreferenced. */
export async function markUnreferenced(
  sql: Sql,
  { appId, ids, at }: { appId: string; ids: readonly string[]; at: number },
): Promise<void> {
  await sql.execute({
    text: `
      update content set unreferenced_since = to_timestamp($3 / 1000.0)
      where app_id = $1 and id = any ($2::uuid[]) and unreferenced_since is null
        and not exists (
          select from content_reference reference
          where reference.app_id = content.app_id and reference.content_id = content.id)`,
    values: [appId, ids, at],
  });
}

/** Ends those of the locked contents that no message refers to any more: they are not served from now on. */
export async function releaseUnreferenced(
  sql: Sql,
  { appId, ids, at }: { appId: string; ids: readonly string[]; at: number },
): Promise<void> {
  await sql.execute({
    text: `
      update content set status = ${STATUS.released}, ended_at = to_timestamp($3 / 1000.0)
      where app_id = $1 and id = any ($2::uuid[]) and status = ${STATUS.uploaded}
        and not exists (
          select from content_reference reference
          where reference.app_id = content.app_id and reference.content_id = content.id)`,
    values: [appId, ids, at],
  });
}
