import type { Tx } from '@parley/kit/postgres';
import { listOwnReactions, listPushedReactions, type ReactionOwner } from '../sql/message/reaction.ts';
import { listReactionCounts, type ReactionCountRow } from '../sql/message/reaction-count.ts';
import type { MessagePlace } from '../sql/message/message.ts';
import type { MessageReactions, ReactionRequest } from './plan.ts';

/** Stored reactions to the messages of a batch. */
export type LoadedReactions = {
  /** By `keyOfMessage`. */
  messages: Map<string, MessageReactions>;
  /** The stored counts, by `keyOfMessage` and key. */
  counts: Map<string, Map<string, ReactionCountRow>>;
  /** Users whose reaction to a message was pushed, by `keyOfOwner`. */
  pushed: Set<string>;
};

type Place = Pick<MessagePlace, 'app_id' | 'conversation_id' | 'position'>;

export function keyOfMessage({ app_id, conversation_id, position }: Place): string {
  return `${app_id}/${conversation_id}/${position}`;
}

/** Key of a user's reactions to a message. */
export function keyOfOwner(place: Place, userId: string): string {
  return `${keyOfMessage(place)}/${userId}`;
}

function ownerOf({ place, userId }: ReactionRequest): ReactionOwner {
  return {
    appId: place.app_id,
    conversationId: place.conversation_id,
    position: place.position,
    userId,
  };
}

/** Reads what a batch depends on, but for the participants. The conversations must be locked. */
export async function loadReactions(tx: Tx, requests: readonly ReactionRequest[]): Promise<LoadedReactions> {
  const owners = requests.map(ownerOf);
  const notifying = requests.filter(({ notification }) => notification).map(ownerOf);
  const [rows, own, pushed] = await Promise.all([
    listReactionCounts(tx, owners),
    listOwnReactions(tx, owners),
    notifying.length > 0 ? listPushedReactions(tx, notifying) : [],
  ]);
  const counts = new Map<string, Map<string, ReactionCountRow>>();
  for (const [key, some] of Map.groupBy(rows, keyOfMessage))
    counts.set(key, new Map(some.map((row) => [row.key, row])));
  const messages = new Map<string, MessageReactions>();
  for (const { place } of requests) {
    const key = keyOfMessage(place);
    if (messages.has(key)) continue;
    const stored = [...(counts.get(key) ?? new Map<string, ReactionCountRow>()).values()];
    messages.set(key, {
      place,
      own: new Map(),
      counts: new Map(stored.map((row) => [row.key, row.count])),
      changes: [],
      pushes: new Map(),
    });
  }
  for (const row of own) {
    const known = messages.get(keyOfMessage(row))?.own;
    const ofUser = known?.get(row.user_id) ?? new Map();
    known?.set(row.user_id, ofUser.set(row.key, row));
  }
  return {
    messages,
    counts,
    pushed: new Set(pushed.map((row) => keyOfOwner(row, row.user_id))),
  };
}
