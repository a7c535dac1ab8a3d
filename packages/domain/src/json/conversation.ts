import type { Conversation as ConversationJson } from '@parley/contract/records/conversation';
import type { Metadata } from '@parley/contract/records/metadata';
import type { Reference } from '@parley/contract/records/reference';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { isAction, isRole, type Role } from '@parley/contract/policy';
import type { Frozen, ParticipantRole } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { identityUri } from '../ids.ts';
import { ownRestrictionJson } from './restriction.ts';
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
    ...policyJson(view, conversation),
    ...userViewJson(view, conversation),
  };
}

/** Keys that are left out while they are unset. */
function policyJson(view: View, { type, roles, frozen, slowModeInSeconds, userView }: Conversation) {
  const restriction = view.audience === 'server' ? undefined : userView?.restriction;
  const permissions = view.audience === 'server' ? undefined : userView?.permissions;
  return {
    ...(type !== '' && { type }),
    ...(roles.length > 0 && { roles: rolesJson(view, roles) }),
    ...(frozen && { frozen: frozenJson(view, frozen) }),
    ...(slowModeInSeconds > 0 && { slow_mode_in_seconds: slowModeInSeconds }),
    ...(restriction && { restriction: ownRestrictionJson(restriction) }),
    ...(permissions && { permissions: permissions.actions.filter(isAction) }),
  };
}

function rolesJson({ wire }: View, roles: readonly ParticipantRole[]): Record<string, Role> {
  return Object.fromEntries(
    roles.flatMap(({ userId, role }) => (isRole(role) ? [[identityUri(wire, userId), role]] : [])),
  );
}

export function frozenJson({ wire }: View, { at, by }: Frozen) {
  return { at: isoTime(at), by: by === '' ? null : identityUri(wire, by) };
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
