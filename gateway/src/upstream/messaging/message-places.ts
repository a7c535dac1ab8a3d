import { LRUCache } from 'lru-cache';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';

/** Where a message is stored and who sent it, which never changes within an epoch. */
export type MessagePlace = { appId: string; conversationId: string; position: number; senderId: string };

/** The places of messages of which receipts are expected; messaging looks up those of all other messages. */
export type MessagePlaces = {
  /** Undefined: the message was not noted lately. */
  find(appId: string, messageId: string): MessagePlace | undefined;
  note(appId: string, message: Message): void;
  /** Positions are given again. */
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
