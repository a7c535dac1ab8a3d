import type { ConversationType } from '@parley/client';

const MODERATORS: ConversationType['actions']['freeze'] = ['owner', 'moderator'];
const SPEAKERS: ConversationType['actions']['send'] = ['owner', 'moderator', 'member'];

/** The type `default` of an application that has changed nothing. */
export const DEFAULT_TYPE: ConversationType = {
  name: 'default',
  actions: {
    send: SPEAKERS,
    reply_in_thread: SPEAKERS,
    react: SPEAKERS,
    edit_own: SPEAKERS,
    delete_own: SPEAKERS,
    delete_any: SPEAKERS,
    delete_conversation: SPEAKERS,
    add_participants: SPEAKERS,
    remove_participants: SPEAKERS,
    patch_metadata: SPEAKERS,
    pin: SPEAKERS,
    mention_everyone: SPEAKERS,
    notify: SPEAKERS,
    schedule: SPEAKERS,
    signal: SPEAKERS,
    freeze: MODERATORS,
    restrict: MODERATORS,
    send_when_frozen: MODERATORS,
    skip_slow_mode: MODERATORS,
    set_visibility: MODERATORS,
    cancel_streams: MODERATORS,
    invite: MODERATORS,
    set_roles: ['owner'],
    edit_any: [],
    set_retention: [],
    stream: [],
  },
  features: { typing: true, receipts: true, reactions: true, threads: true, search: true, push: true },
  create: 'users',
  creator_role: 'member',
  newcomer_history: 'all',
  max_participants: null,
  slow_mode_in_seconds: 0,
  message_retention_in_seconds: null,
  edit_window_in_seconds: null,
  delete_window_in_seconds: null,
  edit_history: 'none',
  push_level: 'all',
  live: false,
};
