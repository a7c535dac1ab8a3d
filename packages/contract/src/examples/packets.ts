import type { AllDelivered } from '../socket/all-delivered.ts';
import type { AllRead } from '../socket/all-read.ts';
import type { Hello } from '../socket/hello.ts';
import type { TypingSignal, TypingSignalInput } from '../socket/signals.ts';
import { limits } from '../limits.ts';
import { ADA, BOB } from './identity.ts';
import { CONVERSATION_OBJECT } from './socket.ts';

export const HELLO: Hello = {
  user: BOB,
  session_expires_at: '2026-12-20T20:15:30.123Z',
  server_time: '2026-11-20T20:15:30.123Z',
  keep_alive_in_seconds: 30,
  limits: {
    packet_bytes: limits.requestBodyBytes,
    request_body_bytes: limits.requestBodyBytes,
    message_bytes: limits.messageBytes,
    inline_body_bytes: limits.inlineBodyBytes,
    parts: limits.maxParts,
    json_depth: limits.jsonDepth,
    page_size: {
      conversations: limits.conversationPage,
      messages: limits.messagePage,
      announcements: limits.announcementPage,
      identities: limits.identityPage,
      followed_users: limits.followingPage,
    },
    rates: {
      requests_of_session: { per_second: 100, burst: 500 },
      upgrades_of_session: { per_second: 2, burst: 30 },
      upgrades_of_address: { per_second: 50, burst: 500 },
    },
    requests_under_way: { lists: 8, patches: 2, replays: 4 },
    sockets_of_user: 20,
    replays_of_socket: 2,
    replay_weight: 10,
    presence_ids: 1000,
    replay_overlap_in_seconds: 10,
  },
};

export const ALL_READ: AllRead = {
  method: 'Conversation.mark_all_read',
  object: CONVERSATION_OBJECT,
  data: { position: 1, identity: BOB },
};

export const ALL_DELIVERED: AllDelivered = {
  method: 'Conversation.mark_all_delivered',
  object: CONVERSATION_OBJECT,
  data: { position: 1, identity: BOB },
};

export const TYPING: TypingSignal = {
  type: 'typing_indicator',
  object: CONVERSATION_OBJECT,
  data: { action: 'started', sender: ADA },
};

export const TYPING_INPUT: TypingSignalInput = {
  type: 'typing_indicator',
  object: { id: CONVERSATION_OBJECT.id },
  data: { action: 'started' },
};
