import { laneOf } from '@parley/domain/lane';

/**
 * The preferred replica of messaging for each conversation. All gateways that know the same replicas name the same one. A batch whose
 * messages have one preferred replica goes there, so that it stores them from its cache; docs/decisions/messages.md#replica-affinity
 */
export type ReplicaAffinity = {
  /** The preferred replica of a conversation; undefined while none is known. */
  ofConversation(conversationId: string): string | undefined;
};

/** `preferredReplica`: the server that a whole number belongs to. */
export function createReplicaAffinity(
  preferredReplica: (number: number) => string | undefined,
): ReplicaAffinity {
  return { ofConversation: (conversationId) => preferredReplica(laneOf(conversationId)) };
}

/** The preferred replica that all items of a batch have; undefined if they have several, or none is known. */
export function commonReplica<I>(
  items: readonly I[],
  preferredOf: (item: I) => string | undefined,
): string | undefined {
  const [first] = items;
  const replica = first && preferredOf(first);
  return items.every((item) => preferredOf(item) === replica) ? replica : undefined;
}
