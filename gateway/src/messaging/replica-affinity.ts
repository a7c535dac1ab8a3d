import { laneOf } from '@parley/domain/lane';

/**
 * The server of messaging that each conversation belongs to, its home. All gateways that know the same servers name the same home. A
 * batch whose messages have one home goes there, so that the server stores them from its cache; docs/decisions/messages.md#affinity
 */
export type ReplicaAffinity = {
  /** The home of a conversation; undefined while no server is known. */
  ofConversation(conversationId: string): string | undefined;
};

/** `preferredReplica`: the server that a whole number belongs to. */
export function createReplicaAffinity(preferredReplica: (number: number) => string | undefined): ReplicaAffinity {
  return { ofConversation: (conversationId) => preferredReplica(laneOf(conversationId)) };
}

/** The home that all items of a batch have; undefined if they have several, or none is known. */
export function commonReplica<I>(
  items: readonly I[],
  preferredOf: (item: I) => string | undefined,
): string | undefined {
  const [first] = items;
  const home = first && preferredOf(first);
  return items.every((item) => preferredOf(item) === home) ? home : undefined;
}
