import type { JsonObject } from '@bufbuild/protobuf';
import type { Role } from '@parley/contract/policy';
import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import type { ConversationRow } from './conversation.ts';
import { LIST_PLACE, LISTED_AT } from './list-place.ts';
import {
  isHeld,
  isHeldWith,
  PARTICIPANT_COLUMNS,
  type ParticipantRef,
  type ParticipantRow,
} from './participant.ts';
import { column, type Statement } from '../statement.ts';

/**
 * Begins a membership with the conversation's present change, beyond its head: earlier messages are not unread. A
 * returning user who had read everything in their last membership counts as having read the messages since, too. It is of the
 * user's present incarnation. What an erased person with the id left must have been forgotten (`forgetParticipations`). `withoutHistory`: those
 * of them who do not see what was sent while they did not take part; what they saw before stays.
 */
export function openMemberships(
  conversation: ConversationRow,
  userIds: readonly string[],
  withoutHistory: readonly string[] = [],
): Statement | undefined {
  if (userIds.length === 0) return undefined;
  return {
    name: 'open_memberships',
    text: `
      insert into participant as p (app_id, conversation_id, user_id, member, joined_seq, owed, read_until,
        delivered_until, incarnation, unseen)
      select $1::uuid, $2::uuid, added.user_id, int8multirange(int8range($3::int8 + 1, null)), $4::int8,
        int8multirange(int8range($4::int8, null)), $3::int8, $3::int8, nullif(i.incarnation, 0),
        case when $3::int8 > 0 and added.user_id = any ($6::text[]) then int8multirange(int8range(1, $3::int8 + 1)) end
      from unnest($5::text[]) as added (user_id)
      left join ${lookUp('identity_copy', 'i', 'i.app_id = $1::uuid and i.user_id = added.user_id')} on true
      on conflict (app_id, conversation_id, user_id) do update
      set member = p.member + excluded.member, owed = p.owed + excluded.owed, joined_seq = excluded.joined_seq,
        left_seq = null, left_head = null, left_message_at = null, left_metadata = null, left_metadata_seq = null,
        unlisted_at = null, role = null,
        unseen = case
          when p.user_id = any ($6::text[]) and coalesce(p.left_head, 0) < $3::int8
            then coalesce(p.unseen, '{}') + int8multirange(int8range(coalesce(p.left_head, 0) + 1, $3::int8 + 1))
          else p.unseen end,
        read_until = case when p.read_until >= coalesce(upper(p.member) - 1, 0) then excluded.read_until
          else p.read_until end,
        delivered_until = case when greatest(p.delivered_until, p.read_until) >= coalesce(upper(p.member) - 1, 0)
          then excluded.delivered_until else p.delivered_until end`,
    values: [
      conversation.app_id,
      conversation.id,
      conversation.head,
      conversation.seq,
      userIds,
      withoutHistory,
    ],
  };
}

/** Shows participants the whole history. */
export function showHistories({ app_id: appId, id }: ConversationRow, userIds: readonly string[]): Statement {
  return {
    name: 'show_histories',
    text: `
      update participant set unseen = null
      where app_id = $1::uuid and conversation_id = $2::uuid and user_id = any ($3::text[]) and unseen is not null`,
    values: [appId, id, userIds],
  };
}

/**
 * Ends memberships at the conversation's head, and keeps the metadata from before this change. `seq`: the last change that the
 * users may replay.
 */
export function closeMemberships(
  conversation: ConversationRow,
  userIds: readonly string[],
  seq = conversation.seq,
): Statement | undefined {
  if (userIds.length === 0) return undefined;
  return {
    name: 'close_memberships',
    text: `
      update participant p
      set member = p.member * int8multirange(int8range(null, $3::int8 + 1)), left_head = $3::int8, left_seq = $4::int8,
        owed = p.owed * int8multirange(int8range(null, $4::int8 + 1)), role = null,
        left_metadata_seq = $4::int8,
        (left_message_at, left_metadata) = (
          select ${LISTED_AT}, c.metadata from conversation c left join ${LIST_PLACE} on true
          where c.app_id = $1::uuid and c.id = $2::uuid)
      where p.app_id = $1::uuid and p.conversation_id = $2::uuid and p.user_id = any($5::text[]) and p.left_seq is null`,
    values: [conversation.app_id, conversation.id, conversation.head, seq, userIds],
  };
}

/**
 * Hides everything up to `until` and takes the conversation out of the user's list. No unread message remains beyond
 * `until`. The user may replay the change `seq`, even if they left before.
 */
export function hideConversation(
  { appId, conversationId, userId }: ParticipantRef,
  { until, seq }: { until: number; seq: number },
): Statement {
  return {
    name: 'hide_conversation',
    text: `
      update participant
      set hidden_until = $4::int8, unlisted_at = $4::int8, covered_count = 0, hidden_count = 0,
        owed = owed + int8multirange(int8range($5::int8, $5::int8 + 1))
      where app_id = $1::uuid and conversation_id = $2::uuid and user_id = $3::text`,
    values: [appId, conversationId, userId, until, seq],
  };
}

/** Lets a user who left replay the change `seq`, which is their own. */
export function addOwedChange({ appId, conversationId, userId }: ParticipantRef, seq: number): Statement {
  return {
    name: 'owe_change',
    text: `
      update participant set owed = owed + int8multirange(int8range($4::int8, $4::int8 + 1))
      where app_id = $1::uuid and conversation_id = $2::uuid and user_id = $3::text`,
    values: [appId, conversationId, userId, seq],
  };
}

/** Puts a conversation back into the user's list. */
export function relistConversation({ appId, conversationId, userId }: ParticipantRef): Statement {
  return {
    name: 'relist_conversation',
    text: `
      update participant set unlisted_at = null
      where app_id = $1::uuid and conversation_id = $2::uuid and user_id = $3::text`,
    values: [appId, conversationId, userId],
  };
}

export function listParticipants(sql: Sql, refs: readonly ParticipantRef[]): Promise<ParticipantRow[]> {
  return sql.query<ParticipantRow>({
    name: 'list_participants',
    text: `
      select ${PARTICIPANT_COLUMNS}
      from unnest($1::uuid[], $2::uuid[], $3::text[]) as wanted (app_id, conversation_id, user_id)
      join participant p on p.app_id = wanted.app_id and p.conversation_id = wanted.conversation_id
        and p.user_id = wanted.user_id and ${isHeld()}`,
    values: [column(refs, 'appId'), column(refs, 'conversationId'), column(refs, 'userId')],
  });
}

/**
 * The metadata that conversations had when the users left them. Leaves out those who take part, and those who were removed by a
 * process that did not keep it.
 */
export function listLeftMetadata(
  sql: Sql,
  refs: readonly ParticipantRef[],
): Promise<{ conversation_id: string; left_metadata: JsonObject }[]> {
  return sql.query({
    name: 'list_left_metadata',
    text: `
      select p.conversation_id, p.left_metadata
      from unnest($1::uuid[], $2::uuid[], $3::text[]) as wanted (app_id, conversation_id, user_id)
      join participant p on p.app_id = wanted.app_id and p.conversation_id = wanted.conversation_id
        and p.user_id = wanted.user_id and p.left_metadata_seq = p.left_seq and ${isHeld()}`,
    values: [column(refs, 'appId'), column(refs, 'conversationId'), column(refs, 'userId')],
  });
}

export type CurrentParticipantRow = {
  conversation_id: string;
  user_id: string;
  display_name: string | null;
  avatar_url: string | null;
  incarnation: number | null;
  /** Null: a member. */
  role: Role | null;
};

/** Bytes of an encoded participant, with the receipts of one message, beyond its texts. */
const PARTICIPANT_BYTES = 96;

export type FittingParticipantRow = CurrentParticipantRow & {
  /** The place, from 1, of the first conversation that does not fit; null: all fit. */
  cut_at: number | null;
};

/**
 * The participants of as many of the first conversations as fit into a budget, and of at least one. A participant's
 * user id counts twice, since receipts name it too.
 */
export function listCurrentParticipantsWithin(
  sql: Sql,
  { appId, ids, budget }: { appId: string; ids: readonly string[]; budget: number },
): Promise<FittingParticipantRow[]> {
  return sql.query<FittingParticipantRow>({
    name: 'list_present_within',
    text: `
      select conversation_id, user_id, display_name, avatar_url, incarnation, role, cut_at
      from (
        select sized.*, min(place) filter (where place > 1 and upto > $3::int8) over () as cut_at
        from (
          select p.conversation_id, p.user_id, i.display_name, i.avatar_url, i.incarnation, p.role, wanted.place,
            sum(${PARTICIPANT_BYTES} + 2 * octet_length(p.user_id) + coalesce(octet_length(i.display_name), 0)
              + coalesce(octet_length(i.avatar_url), 0)) over (order by wanted.place) as upto
          from participant p
          cross join lateral (select array_position($2::uuid[], p.conversation_id) as place) wanted
          left join identity_copy i on i.app_id = p.app_id and i.user_id = p.user_id
          where p.app_id = $1 and p.conversation_id = any($2::uuid[]) and p.left_seq is null
            and ${isHeldWith()}
        ) sized
      ) participant
      where cut_at is null or place < cut_at
      order by place, user_id`,
    values: [appId, ids, budget],
  });
}

/** Participants with display fields, sorted by user id. */
export function listCurrentParticipants(
  sql: Sql,
  { appId, ids }: { appId: string; ids: readonly string[] },
): Promise<CurrentParticipantRow[]> {
  return sql.query<CurrentParticipantRow>({
    name: 'list_present',
    text: `
      select p.conversation_id, p.user_id, i.display_name, i.avatar_url, i.incarnation, p.role
      from participant p
      left join identity_copy i on i.app_id = p.app_id and i.user_id = p.user_id
      where p.app_id = $1 and p.conversation_id = any($2::uuid[]) and p.left_seq is null
        and ${isHeldWith()}
      order by p.conversation_id, p.user_id`,
    values: [appId, ids],
  });
}
