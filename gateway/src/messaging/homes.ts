import { laneOf } from '@parley/domain/lane';

/**
 * The server of messaging that each conversation belongs to, its home. All gateways that know the same servers name the same home. A
 * batch whose messages have one home goes there, so that the server stores them from its cache; docs/decisions/messages.md#homes
 */
export type Homes = {
  /** The home of a conversation; undefined while no server is known. */
  ofConversation(conversationId: string): string | undefined;
};

/** `serverOf`: the server that a whole number belongs to. */
export function createHomes(serverOf: (number: number) => string | undefined): Homes {
  return { ofConversation: (conversationId) => serverOf(laneOf(conversationId)) };
}

/** The home that all items of a batch have; undefined if they have several, or none is known. */
export function commonHome<I>(
  items: readonly I[],
  homeOf: (item: I) => string | undefined,
): string | undefined {
  const [first] = items;
  const home = first && homeOf(first);
  return items.every((item) => homeOf(item) === home) ? home : undefined;
}
