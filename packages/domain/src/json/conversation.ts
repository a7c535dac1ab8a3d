import type { Conversation as ConversationJson } from '@parley/contract/records/conversation';
import type { Metadata } from '@parley/contract/records/metadata';
import type { Reference } from '@parley/contract/records/reference';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { basicIdentityJson } from './identity.ts';
import { messageJson } from './message.ts';
import { isoTime } from './time.ts';
import { conversationUrl, type View } from './view.ts';

/** If a user has no view of a conversation yet, that of an empty conversation is shown. docs/protocol/records.md#conversation */
export function conversationJson(view: View, conversation: Conversation): ConversationJson {
  const { id, url } = conversationReference(view, conversation.id);
  return {
    id,
    url,
    messages_url: `${url}/messages`,
    created_at: isoTime(conversation.createdAt),
    participants: conversation.participants.map((participant) => basicIdentityJson(view, participant)),
    distinct: conversation.distinct,
    // Stored metadata always has this form.
    metadata: (conversation.metadata ?? {}) as Metadata,
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
