import { create } from '@parley/codec';
import type { Tx } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { UserViewSchema, type Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { requireUnerased } from '../../identity/required.ts';
import { maskOf } from '@parley/domain/events';
import type { Context } from '../../context.ts';
import { toConversation } from '../record.ts';
import { addChange, writeChanges } from '../../log/append.ts';
import { addConversationCount } from '../../sql/conversation/conversation-count.ts';
import { insertConversation, type NewConversation } from '../../sql/conversation/conversation-creation.ts';
import { openMemberships } from '../../sql/conversation/membership.ts';
import type { KeyedDraft } from './draft.ts';

/** Stores the conversation with its event. Undefined: the id or the set of participants is taken. */
export async function insertDraft(
  ctx: Context,
  tx: Tx,
  { draft, participants }: { draft: KeyedDraft; participants: BasicIdentity[] },
): Promise<Conversation | undefined> {
  const row = toRow(ctx, draft);
  const record = toConversation(row.app_id, { ...row, seq: 1 }, { participants, metadata: row.metadata });
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
  return draft.userId ? { ...record, userView: create(UserViewSchema) } : record;
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
  };
}
