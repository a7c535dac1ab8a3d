import { DEFAULT_ROLE, DEFAULT_TYPE, isRole } from '@parley/contract/policy';
import { maskOf } from '@parley/domain/events';
import { fail } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';

import { distinctKey } from '../../conversation/create/distinct-key.ts';
import { addConversationCount } from '../../sql/conversation/conversation-count.ts';
import { insertConversation, type NewConversation } from '../../sql/conversation/conversation-creation.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import { openMemberships } from '../../sql/conversation/membership.ts';
import { listReturned } from '../../sql/identity/identity-copy.ts';
import { setRoles, type RoleChange } from '../../sql/policy/role.ts';
import { findType } from '../../sql/policy/type.ts';
import { write } from '../../sql/statement.ts';

export type RestoredConversation = {
  appId: string;
  conversation: Conversation;
  /** The locked row of a conversation that exists already. */
  known: ConversationRow | undefined;
};

/**
 * An existing conversation stays unchanged. Emits no event: the conversation is not new. Problems: conflict; invalid_property (type) for one
 * that the application lacks.
 */
export async function restoreConversation(
  tx: Tx,
  { appId, conversation, known }: RestoredConversation,
): Promise<void> {
  if (known) return;
  const userIds = conversation.participants.map(({ userId }) => userId);
  const type = typeOf(conversation);
  if (type !== null && !(await findType(tx, appId, type)))
    fail('invalid_property', { property: 'type', message: `The app has no type ${type}.` });
  const key = conversation.distinct
    ? distinctKey(userIds, await listReturned(tx, appId, userIds), type)
    : null;
  const row = { ...toRow(appId, conversation), distinct_key: key };
  if (!(await insertConversation(tx, row))) {
    fail('conflict', { message: 'The app has another distinct conversation of the same participants.' });
  }
  await write(tx, [openMemberships(row, userIds), addConversationCount(appId, 1)]);
  await write(tx, [setRoles(row, rolesOf(conversation))]);
}

function typeOf({ type }: Conversation): string | null {
  return type === DEFAULT_TYPE ? null : type || null;
}

function rolesOf({ roles }: Conversation): RoleChange[] {
  return roles.flatMap(({ userId, role }) =>
    isRole(role) && role !== DEFAULT_ROLE ? [{ userId, role }] : [],
  );
}

function toRow(appId: string, conversation: Conversation): Omit<NewConversation, 'distinct_key'> {
  const { id, createdAt, participants, distinct, metadata, frozen, slowModeInSeconds } = conversation;
  const userIds = participants.map(({ userId }) => userId);
  return {
    app_id: appId,
    id,
    created_at: createdAt,
    created_by: null,
    request_id: null,
    is_distinct: distinct,
    metadata: metadata ?? {},
    seq: 1,
    members_seq: 1,
    head: 0,
    excluded_count: 0,
    deleted_count: 0,
    last_message_at: createdAt,
    changed_at: createdAt,
    audience_shards: maskOf(userIds),
    deleted_at: null,
    type: typeOf(conversation),
    frozen_at: frozen?.at ?? null,
    frozen_by: frozen?.by || null,
    slow_mode: slowModeInSeconds || null,
    side_tables: 0,
  };
}
