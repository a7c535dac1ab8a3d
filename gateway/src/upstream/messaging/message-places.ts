import { LRUCache } from 'lru-cache';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';

/** Place and sender of a stored message; constant within an epoch. */
export type MessagePlace = { appId: string; conversationId: string; position: number; senderId: string };

/** Places of messages for which receipts are expected; messaging looks all others up. */
export type MessagePlaces = {
  /** Undefined: the message was not remembered recently. */
  find(appId: string, messageId: string): MessagePlace | undefined;
  note(appId: string, message: Message): void;
  /** Forgets all places, since positions are assigned again. */
  clear(): void;
};

const MAX_NOTED = 20_000;

export function createMessagePlaces(): MessagePlaces {
  // Two applications may use the same id; the place of the later message is kept.
  const noted = new LRUCache<string, MessagePlace>({ max: MAX_NOTED });
  return {
    find(appId, messageId) {
      const place = noted.get(messageId);
      return place?.appId === appId ? place : undefined;
    },
    note(appId, { id, conversationId, position, sender }) {
      if (sender) noted.set(id, { appId, conversationId, position, senderId: sender.userId });
    },
    clear: () => noted.clear(),
  };
}
