import { create } from '@parley/codec';
import type { Tx } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { UserViewSchema, type Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { DEFAULT_TYPE, type Role } from '@parley/contract/policy';
import { DEFAULT_RULES, type TypeRules } from '@parley/domain/policy';
import { fail } from '@parley/domain/problems';
import { failTooManyParticipants, requireUnerased } from '../../identity/required.ts';
import { failRefused } from '../../policy/refusal.ts';
import { setRoles } from '../../sql/policy/role.ts';
import { findType } from '../../sql/policy/type.ts';
import { write } from '../../sql/statement.ts';
import { maskOf } from '@parley/domain/events';
import type { Context } from '../../context.ts';
import { toConversation } from '../record.ts';
import { addChange, writeChanges } from '../../log/append.ts';
import { addConversationCount } from '../../sql/conversation/conversation-count.ts';
import { insertConversation, type NewConversation } from '../../sql/conversation/conversation-creation.ts';
import { openMemberships } from '../../sql/conversation/membership.ts';
import type { KeyedDraft } from './draft.ts';

/** `hasPolicy`: its type is not the unchanged `default`, or it has roles. */
export type CreatedConversation = { conversation: Conversation; hasPolicy: boolean };

/** Stores the conversation with its event. Undefined: the id or the set of participants is taken. */
export async function insertDraft(
  ctx: Context,
  tx: Tx,
  { draft, participants }: { draft: KeyedDraft; participants: BasicIdentity[] },
): Promise<CreatedConversation | undefined> {
  const row = toRow(ctx, draft);
  const stored = await requireType(tx, draft);
  const rules = stored ?? DEFAULT_RULES;
  checkCreation(rules, draft);
  const roles = rolesOf(rules, draft);
  const record = toConversation(
    row.app_id,
    { ...row, seq: 1 },
    { participants, metadata: row.metadata, roles },
  );
  const change = addChange(ctx, row, {
    actor: participants.find(({ userId }) => userId === draft.userId),
    body: { case: 'conversationCreated', value: { conversation: record } },
  });
  if (!(await insertConversation(tx, row))) return undefined;
  await requireUnerased(tx, row.app_id, participants);
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [openMemberships(row, draft.participantIds), addConversationCount(row.app_id, 1)],
  });
  await write(tx, [
    setRoles(
      row,
      [...roles].map(([userId, role]) => ({ userId, role })),
    ),
  ]);
  return {
    conversation: draft.userId ? { ...record, userView: create(UserViewSchema) } : record,
    hasPolicy: stored !== undefined || roles.size > 0,
  };
}

/** The rules of the type, which stays until the transaction ends; undefined: the unchanged `default`. Problem: invalid_property (type). */
async function requireType(tx: Tx, { appId, type }: KeyedDraft): Promise<TypeRules | undefined> {
  const rules = await findType(tx, appId, type ?? DEFAULT_TYPE);
  if (!rules && type !== null)
    fail('invalid_property', { property: 'type', message: 'There is no such type.' });
  return rules;
}

/** Problems: access_denied where only servers create; invalid_property (participants) for too many. */
function checkCreation(rules: TypeRules, { userId, participantIds }: KeyedDraft): void {
  if (userId && rules.create === 'servers') failRefused({ reason: 'type', action: 'create' });
  const most = rules.max_participants;
  if (most !== undefined && participantIds.length > most) failTooManyParticipants(most);
}

function rolesOf(
  { creator_role: role }: TypeRules,
  { userId, roles }: KeyedDraft,
): ReadonlyMap<string, Role> {
  return userId && role ? new Map(roles).set(userId, role) : roles;
}

function toRow(ctx: Context, draft: KeyedDraft): NewConversation {
  const now = ctx.clock.now();
  return {
    app_id: draft.appId,
    id: draft.id,
    created_at: now,
    created_by: draft.userId || null,
    request_id: draft.requestId,
    distinct_key: draft.distinctKey,
    is_distinct: draft.distinctKey !== null,
    metadata: draft.metadata ?? {},
    seq: 0,
    members_seq: 1,
    head: 0,
    excluded_count: 0,
    deleted_count: 0,
    last_message_at: now,
    changed_at: now,
    audience_shards: maskOf(draft.participantIds),
    deleted_at: null,
    type: draft.type,
    frozen_at: null,
    frozen_by: null,
    slow_mode: null,
    side_tables: 0,
  };
}
