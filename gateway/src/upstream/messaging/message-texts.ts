import { messageText, type MessageText } from '@parley/domain/json/message-text';
import { laneOf } from '@parley/domain/lane';
import type { View } from '@parley/domain/json/view';
import type { Message, Part } from '@parley/proto/parley/messaging/v1/message_pb';

/** The texts of new messages, each made once for both the answer to the sender and the packets of the event. */
export type MessageTexts = {
  /** The text as clients see it; `view` need not name a user. */
  of(view: View, message: Message): MessageText;
};

/**
 * Texts wait here for their second use, which exists only in the gateway of the sender. Each id maps to one place, and a newer text
 * replaces an older one. For why this is not a `Map`: docs/decisions/foundation.md#short-lived-objects-stay-young
 */
const PLACES = 2_048;
/** Longer texts are not kept. Characters. */
const MAX_CHARACTERS = 4_096;

type Kept = { message: Message; text: MessageText };

/** `isFollowed`: whether users of an application are connected to this gateway, so that its events are rendered here. */
export function createMessageTexts(isFollowed: (appId: string) => boolean): MessageTexts {
  const kept = new Array<Kept | undefined>(PLACES).fill(undefined);

  function take(place: number, message: Message): MessageText | undefined {
    const known = kept[place];
    if (known?.message.id !== message.id || known.message.appId !== message.appId) return undefined;
    kept[place] = undefined;
    return isAlike(known.message, message) ? known.text : undefined;
  }

  return {
    of(view, message) {
      if (view.audience !== 'client' || !isPlain(message)) return messageText(view, message);
      const place = laneOf(message.id) % PLACES;
      const known = take(place, message);
      if (known) return known;
      const text = messageText(view, message);
      const isShort = text.start.length + text.end.length <= MAX_CHARACTERS;
      if (isShort && isFollowed(message.appId)) kept[place] = { message, text };
      return text;
    },
  };
}

/** Whether a message has the same text at any time: addresses of content expire. */
function isPlain({ parts, updatedAt, notification }: Message): boolean {
  return updatedAt === undefined && !notification && parts.every(isPlainPart);
}

function isPlainPart({ content, updatedAt }: Part): boolean {
  return !content && updatedAt === undefined;
}

/** Whether two plain messages with the same id look the same. */
function isAlike(one: Message, other: Message): boolean {
  return (
    one.conversationId === other.conversationId &&
    one.position === other.position &&
    one.sentAt === other.sentAt &&
    one.sender?.userId === other.sender?.userId &&
    one.sender?.displayName === other.sender?.displayName &&
    one.sender?.avatarUrl === other.sender?.avatarUrl &&
    one.parts.length === other.parts.length &&
    one.parts.every((part, index) => isAlikePart(part, other.parts[index]))
  );
}

function isAlikePart(one: Part, other: Part | undefined): boolean {
  return (
    one.id === other?.id &&
    one.mimeType === other.mimeType &&
    one.body === other.body &&
    one.encoding === other.encoding
  );
}
