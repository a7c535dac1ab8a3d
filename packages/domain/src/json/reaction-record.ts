import type { Reaction as ReactionJson } from '@parley/contract/records/reaction';
import type { ReactionsChanged } from '@parley/proto/parley/event/v1/event_pb';
import type { Reaction } from '@parley/proto/parley/messaging/v1/reaction_service_pb';
import { conversationReference } from './conversation.ts';
import { basicIdentityJson } from './identity.ts';
import { messageReference } from './message.ts';
import { reactionUri } from './reaction.ts';
import { isoTime } from './time.ts';
import type { View } from './view.ts';

/** docs/protocol/records.md#reaction */
export function reactionJson(
  view: View,
  messageId: string,
  reaction: Pick<Reaction, 'id' | 'key' | 'user' | 'createdAt'>,
): ReactionJson {
  const { id, key, user, createdAt } = reaction;
  if (!user) throw new TypeError('a reaction without its user');
  return {
    id: reactionUri(view.wire, messageId, id),
    key,
    user: basicIdentityJson(view, user),
    created_at: isoTime(createdAt),
  };
}

/** The reaction that an event of `singleReactionsOf` is about, as webhooks and exports have it. */
export function changedReactionJson(
  view: View,
  conversationId: string,
  { messageId, changes }: ReactionsChanged,
) {
  const [change] = changes;
  if (!change) throw new TypeError('an event of a reaction without the reaction');
  return {
    reaction: reactionJson(view, messageId, change),
    message: messageReference(view, conversationId, messageId),
    conversation: conversationReference(view, conversationId),
  };
}
