import type { ReactionSummary } from '@parley/contract/records/reaction';
import type { MessageReaction } from '@parley/proto/parley/messaging/v1/message_pb';
import { identityUri } from '../ids.ts';
import type { Wire } from '../wire.ts';

/** The reactions to a message, by key. */
export function reactionsJson(
  wire: Wire,
  reactions: readonly MessageReaction[],
): Record<string, ReactionSummary> {
  return Object.fromEntries(reactions.map((reaction) => [reaction.key, summaryJson(wire, reaction)]));
}

function summaryJson(wire: Wire, { count, recent, own, userIds }: MessageReaction): ReactionSummary {
  const uri = (userId: string) => identityUri(wire, userId);
  const json: ReactionSummary = { count, recent: recent.map(uri) };
  if (own) json.own = true;
  if (userIds.length > 0) json.user_ids = userIds.map(uri);
  return json;
}

export function reactionUri(wire: Wire, messageId: string, id: string): string {
  return `${wire.uri('messages', messageId)}/reactions/${id}`;
}
