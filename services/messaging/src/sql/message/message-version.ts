import type { Sql } from '@parley/kit/postgres';
import { isHeld } from '../conversation/participant.ts';
import { withheldFrom } from '../identity/withheld.ts';
import type { Statement } from '../statement.ts';
import type { MessagePosition } from './message-at.ts';
import { HIDDEN_FROM } from './message-deletion.ts';

/**
 * SQL of what the reader of message `m` is known by. `hasVersions`: the mark in the conversation's row. `userId`: text; empty for a server.
 * `asOf`: the change number as of which they see the body, that of the end of their membership; null: the present one.
 */
type Reader = { hasVersions: string; userId: string; asOf: string };

/**
 * SQL of the earlier body of message `m` that a reader sees instead of the present one, as `kept`, for a `left join … on true`. There is
 * none for readers who see all edits. Where `hasVersions` is false, Postgres does not look for one.
 */
export function keptVersion({ hasVersions, userId, asOf }: Reader): string {
  return `lateral (
    select v.seq, v.body, v.updated_at from message_version v
    where ${hasVersions} and v.app_id = m.app_id and v.conversation_id = m.conversation_id and v.position = m.position
      and (v.seq > ${asOf} or ${userId} = any (v.kept_for))
    order by v.seq limit 1) kept`;
}

// Instead of `m.body` and `m.updated_at`, where `keptVersion` is joined.
export const SEEN_BODY = 'coalesce(kept.body, m.body)';
export const SEEN_UPDATED_AT = 'case when kept.body is null then m.updated_at else kept.updated_at end';

/** SQL of the rows of `message`, for a `where` that names them `m`, with the bodies that a reader sees. */
export function messagesAsSeen(reader: Reader): string {
  return `select m.app_id, m.conversation_id, m.position, m.id, m.request_id, m.sender_id, m.sent_at, m.low, m.deleted_at,
      m.deleted_by, m.shadowed, m.incarnation, ${SEEN_BODY} as body, ${SEEN_UPDATED_AT} as updated_at
    from message m left join ${keptVersion(reader)} on true`;
}

/** The users who are not shown an edit of a message. */
export type EditAudience = {
  /** Present and former participants who do not see the message: they hid it, or blocked its sender when it was sent. */
  unseen: string[];
  /** Participants who see an earlier body for good, since they blocked its sender at an earlier edit. */
  keeping: string[];
  /** Other participants who block its sender. */
  blocking: string[];
  /** Some former participant sees the present body: they left after the last edit of it. */
  isSeenByFormer: boolean;
};

type Reason = 'unseen' | 'keeping' | 'blocking' | 'former';

const BLOCKING = withheldFrom({ appId: '$1', conversationId: '$2', actorId: '$4' });

/** The conversation must be locked: then blocks that were answered before the edit began are known. */
export async function getEditAudience(
  sql: Sql,
  { place, senderId }: { place: MessagePosition; senderId: string },
): Promise<EditAudience> {
  const rows = await sql.query<{ user_id: string; why: Reason }>({
    name: 'get_edit_audience',
    text: `
      select p.user_id, 'unseen' as why from participant p
      where p.app_id = $1 and p.conversation_id = $2 and p.hidden_until >= $3 and ${isHeld()}
      union
      select user_id, 'unseen' from (${HIDDEN_FROM}) as hidden
      union
      select keeper.user_id, 'keeping' from message_version v cross join unnest(v.kept_for) as keeper (user_id)
      where v.app_id = $1 and v.conversation_id = $2 and v.position = $3
      union
      select user_id, 'blocking' from (${BLOCKING}) as blocking
      union
      select '', 'former' where exists (
        select from participant p
        where p.app_id = $1 and p.conversation_id = $2 and p.left_head >= $3 and p.hidden_until < $3
          and (p.unseen is null or not p.unseen @> $3) and ${isHeld()} and not exists (
          select from message_version v
          where v.app_id = $1 and v.conversation_id = $2 and v.position = $3 and v.seq > p.left_seq))`,
    values: [place.appId, place.conversationId, place.position, senderId],
  });
  const those = (why: Reason) => rows.filter((row) => row.why === why).map((row) => row.user_id);
  const unseen = those('unseen');
  const keeping = those('keeping');
  const known = new Set([...unseen, ...keeping]);
  const blocking = those('blocking').filter((userId) => !known.has(userId));
  return { unseen, keeping, blocking, isSeenByFormer: those('former').length > 0 };
}

/** An edit that replaces the stored body of a message. */
export type ReplacingEdit = {
  place: MessagePosition;
  seq: number;
  editedAt: number;
  editedBy: string | null;
  keptFor: readonly string[];
};

/** Keeps the present body; in the same statement as the edit that replaces it. */
export function keepVersion({ place, seq, editedAt, editedBy, keptFor }: ReplacingEdit): Statement {
  return {
    name: 'keep_version',
    text: `
      insert into message_version (app_id, conversation_id, position, seq, body, updated_at, edited_at, edited_by, kept_for)
      select m.app_id, m.conversation_id, m.position, $4::int8, m.body, m.updated_at,
        to_timestamp($5::float8 / 1000), $6::text, $7::text[]
      from message m where m.app_id = $1::uuid and m.conversation_id = $2::uuid and m.position = $3::int8`,
    values: [place.appId, place.conversationId, place.position, seq, editedAt, editedBy, keptFor],
  };
}

/** Versions that one statement looks at. */
const MOST_VERSIONS = 500;

/**
 * Forgets kept bodies that no reader needs any more, of a message or, where `position` is null, of a conversation: nobody keeps them for
 * good, and of those who had the body before them when they left, all are back. So a message has at most one for each time between edits at which
 * somebody left who is still out, and those that blocks keep.
 */
export async function dropVersions(
  sql: Sql,
  place: { appId: string; conversationId: string; position: number | null },
): Promise<void> {
  await sql.execute({
    name: 'drop_versions',
    text: `
      delete from message_version v
      using (
        select position, seq, kept_for, lag(seq, 1, 0::int8) over (partition by position order by seq) as earlier
        from (
          select position, seq, kept_for from message_version
          where app_id = $1 and conversation_id = $2 and ($3::int8 is null or position = $3)
          order by position desc, seq desc limit ${MOST_VERSIONS}) as looked_at) as kept
      where v.app_id = $1 and v.conversation_id = $2 and v.position = kept.position and v.seq = kept.seq
        and kept.kept_for = '{}' and not exists (
          select from participant p
          where p.app_id = $1 and p.conversation_id = $2 and p.left_seq >= kept.earlier and p.left_seq < kept.seq
            and p.left_head >= kept.position and ${isHeld()})`,
    values: [place.appId, place.conversationId, place.position],
  });
}

/** Marks a locked conversation before its first version is kept. */
export async function markVersions(
  sql: Sql,
  { appId, conversationId }: Omit<MessagePosition, 'position'>,
): Promise<void> {
  await sql.execute({
    name: 'mark_versions',
    text: 'update conversation set has_versions = true where app_id = $1 and id = $2 and not has_versions',
    values: [appId, conversationId],
  });
}

/** Forgets the kept bodies of a message that is deleted for all. */
export function deleteVersions({ appId, conversationId, position }: MessagePosition): Statement {
  return {
    name: 'delete_versions',
    text: `
      delete from message_version
      where app_id = $1::uuid and conversation_id = $2::uuid and position = $3::int8`,
    values: [appId, conversationId, position],
  };
}
