import type { JsonObject } from '@bufbuild/protobuf';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { basicIdentityJson, type BasicIdentityJson } from './identity.ts';
import { messageJson, type MessageJson, type Reference } from './message.ts';
import { isoTime } from './time.ts';
import { conversationUrl, type View } from './view.ts';

export type ConversationJson = {
  id: string;
  url: string;
  messages_url: string;
  created_at: string;
  participants: BasicIdentityJson[];
  distinct: boolean;
  metadata: JsonObject;
  last_message: MessageJson | null;
  unread_message_count: number | null;
  total_message_count: number | null;
};

/** SPEC completions 3: Conversation. A user's view of a conversation that has none yet is that of an empty one. */
export function conversationJson(view: View, conversation: Conversation): ConversationJson {
  const { id, url } = conversationReference(view, conversation.id);
  return {
    id,
    url,
    messages_url: `${url}/messages`,
    created_at: isoTime(conversation.createdAt),
    participants: conversation.participants.map((participant) => basicIdentityJson(view, participant)),
    distinct: conversation.distinct,
    metadata: conversation.metadata ?? {},
    ...userViewJson(view, conversation),
  };
}

function userViewJson(view: View, { userView }: Conversation) {
  if (view.audience === 'server') {
    return { last_message: null, unread_message_count: null, total_message_count: null };
  }
  const last = userView?.lastMessage;
  return {
    last_message: last ? messageJson(view, last, userView.receipts) : null,
    unread_message_count: userView?.unreadMessageCount ?? 0,
    total_message_count: userView?.totalMessageCount ?? 0,
  };
}

export function conversationReference(view: View, id: string): Reference {
  return { id: view.wire.uri('conversations', id), url: conversationUrl(view, id) };
}
