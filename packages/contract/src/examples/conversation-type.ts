import { ACTIONS } from '../policy.ts';
import type { ConversationType, ConversationTypeInput } from '../records/conversation-type.ts';

export const TYPE_INPUT: ConversationTypeInput = {
  actions: { delete_any: ['owner', 'moderator'] },
  creator_role: 'owner',
  slow_mode_in_seconds: 10,
};

export const TYPE: ConversationType = {
  name: 'channel',
  actions: Object.assign(copyOfActions(), { delete_any: ['owner', 'moderator'] }),
  features: { typing: true, receipts: true, reactions: true, threads: true, search: true, push: true },
  create: 'users',
  creator_role: 'owner',
  newcomer_history: 'all',
  max_participants: null,
  slow_mode_in_seconds: 10,
  message_retention_in_seconds: null,
  edit_window_in_seconds: null,
  delete_window_in_seconds: null,
  edit_history: 'none',
  push_level: 'all',
  live: false,
};

function copyOfActions(): ConversationType['actions'] {
  return Object.fromEntries(
    Object.entries(ACTIONS).map(([action, roles]) => [action, [...roles]]),
  ) as ConversationType['actions'];
}
