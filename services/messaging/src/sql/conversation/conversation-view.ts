import type { JsonObject } from '@bufbuild/protobuf';
import type { TypeRules } from '@parley/domain/policy';
import type { Sql } from '@parley/kit/postgres';
import { IS_LISTED } from './conversation-list.ts';
import { joinType } from '../policy/standing.ts';
import type { ConversationRow } from './conversation.ts';
import { isHeld } from './participant.ts';

export type ShownConversationRow = {
  id: string;
  created_at: number;
  metadata: JsonObject;
  is_distinct: boolean;
  seq: number;
  members_seq: number;
  head: number;
  excluded_count: number;
  deleted_count: number;
  /** Some reader may see an earlier body of a message. */
  has_versions: boolean;
  /** Rules of its type; null: the unchanged `default`. */
  rules: TypeRules | null;
} & Pick<ConversationRow, 'type' | 'frozen_at' | 'frozen_by' | 'slow_mode' | 'side_tables'>;

/** Conversations that exist and are not deleted. */
export function listShownConversations(
  sql: Sql,
  { appId, ids }: { appId: string; ids: readonly string[] },
): Promise<ShownConversationRow[]> {
  return sql.query<ShownConversationRow>({
    name: 'list_shown_conversations',
    text: `
      select c.id, c.created_at, c.metadata, c.distinct_key is not null as is_distinct, c.seq, c.members_seq, c.head,
        c.excluded_count, c.deleted_count, c.has_versions, c.type, c.frozen_at, c.frozen_by, c.slow_mode, c.side_tables, t.rules
      from conversation c
      ${joinType('$1')}
      where c.app_id = $1 and c.id = any($2::uuid[]) and c.deleted_at is null`,
    values: [appId, ids],
  });
}

/** Whether a conversation is deleted for all, and whether it is in the user's list (never, for an empty user id). */
export async function findConversationStatus(
  sql: Sql,
  { appId, id, userId }: { appId: string; id: string; userId: string },
): Promise<{ deleted: boolean; listed: boolean } | undefined> {
  const [row] = await sql.query<{ deleted: boolean; listed: boolean }>({
    name: 'find_conversation_status',
    text: `
      select c.deleted_at is not null as deleted, c.deleted_at is null and p.user_id is not null and ${IS_LISTED} as listed
      from conversation c
      left join participant p on p.app_id = c.app_id and p.conversation_id = c.id and p.user_id = $3
        and ${isHeld()}
      where c.app_id = $1 and c.id = $2`,
    values: [appId, id, userId],
  });
  return row;
}
