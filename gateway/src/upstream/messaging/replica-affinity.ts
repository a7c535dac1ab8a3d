import { laneOf } from '@parley/domain/lane';

/**
 * The preferred replica of messaging for each conversation. All gateways that know the same replicas choose the same one. A batch whose
 * messages share a preferred replica goes there, so that it stores them from its cache; docs/decisions/messages.md#replica-affinity
 */
export type ReplicaAffinity = {
  /** The preferred replica of a conversation; undefined while none is known. */
  ofConversation(conversationId: string): string | undefined;
};

/** `preferredReplica`: maps an integer to a replica. */
export function createReplicaAffinity(
  preferredReplica: (number: number) => string | undefined,
): ReplicaAffinity {
  return { ofConversation: (conversationId) => preferredReplica(laneOf(conversationId)) };
}

/** The preferred replica shared by all items of a batch; undefined if they differ or none is known. */
export function commonReplica<I>(
  items: readonly I[],
  preferredOf: (item: I) => string | undefined,
): string | undefined {
  const [first] = items;
  const replica = first && preferredOf(first);
  return items.every((item) => preferredOf(item) === replica) ? replica : undefined;
}
