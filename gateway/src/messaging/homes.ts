import { LRUCache } from 'lru-cache';
import { laneOf } from '@parley/domain/lane';

/**
 * The server of messaging that each conversation belongs to, its home: its sends and receipts go there when they can, so that
 * the server stores them from its cache. All gateways that know the same servers name the same home.
 */
export type Homes = {
  /** The home of a conversation; undefined while no server is known. */
  ofConversation(conversationId: string): string | undefined;
  /** The home of the conversation of a message; of a message that was not noted lately, any server. */
  ofMessage(messageId: string): string | undefined;
  /** Notes the conversation of a message of which receipts are expected. */
  note(messageId: string, conversationId: string): void;
};

const MAX_NOTED = 20_000;

/** `serverOf`: the server that a whole number belongs to. */
export function createHomes(serverOf: (number: number) => string | undefined): Homes {
  const noted = new LRUCache<string, number>({ max: MAX_NOTED });
  return {
    ofConversation: (conversationId) => serverOf(laneOf(conversationId)),
    ofMessage: (messageId) => serverOf(noted.get(messageId) ?? laneOf(messageId)),
    note(messageId, conversationId) {
      noted.set(messageId, laneOf(conversationId));
    },
  };
}
