import { eventFilter } from '@parley/domain/events';
import { startAppRemovals, startAppRemovalsByCell } from '@parley/events/app-removals';
import { OUTBOX_DEAD_LETTER_TABLE, type AppTable } from '@parley/kit/durable/app-removal';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from './context.ts';

const TABLES: readonly AppTable[] = [
  { table: 'push_order', order: ['event_id'] },
  { table: 'scheduled_message', order: ['id'] },
  { table: 'gone_item', order: ['list_id', 'id'] },
  { table: 'erasure', order: ['user_id'] },
  { table: 'change', order: ['conversation_id', 'seq'], isPartitioned: true },
  { table: 'reaction', order: ['conversation_id', 'user_id', 'position', 'key'] },
  { table: 'reaction_count', order: ['conversation_id', 'position', 'key'] },
  { table: 'reaction_push', order: ['conversation_id', 'user_id', 'position'] },
  { table: 'message_version', order: ['conversation_id', 'position', 'seq'] },
  { table: 'message', order: ['conversation_id', 'position'] },
  { table: 'participant_block', order: ['conversation_id', 'user_id', 'block'] },
  { table: 'conversation_block', order: ['conversation_id', 'block'] },
  { table: 'hidden_unread', order: ['conversation_id', 'user_id', 'sender_id'] },
  { table: 'list_place', order: ['conversation_id', 'user_id'] },
  { table: 'page_end', order: ['user_id', 'conversation_id'] },
  { table: 'restriction', order: ['conversation_id', 'user_id'] },
  { table: 'participant', order: ['conversation_id', 'user_id'] },
  { table: 'conversation', order: ['id'] },
  { table: 'conversation_type', order: ['name'] },
  { table: 'conversation_count', order: [] },
  { table: 'outside_sender', order: ['user_id', 'conversation_id'] },
  { table: 'export_cut', order: ['cut_id', 'chunk'] },
  { table: 'identity_copy', order: ['user_id'] },
  { table: 'block_copy', order: ['blocked_user_id', 'owner_user_id'] },
  { table: 'block_version', order: ['blocked_user_id', 'owner_user_id'] },
  { table: 'block_erasure', order: ['user_id'] },
  { table: 'event_interest', order: ['consumer'] },
  OUTBOX_DEAD_LETTER_TABLE,
];

const REMOVAL = {
  tables: TABLES,
  events: { durable: 'messaging-apps', filter: eventFilter('app.deleted') },
};

/** Removes what this service holds of deleted applications. */
export function startAppRemoval(contexts: readonly Context[], stopper: Stopper): void {
  const [ctx] = contexts;
  if (ctx && contexts.length === 1) return startAppRemovals(ctx, stopper, REMOVAL);
  const cellOf = async (appId: string): Promise<number> => (await ctx?.cells.of(appId)) ?? 0;
  startAppRemovalsByCell({ cells: contexts, cellOf }, stopper, REMOVAL);
}
