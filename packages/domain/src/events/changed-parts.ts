import type { Message, Part } from '@parley/proto/parley/messaging/v1/message_pb';

/** The parts of an event; a part that the event holds only by its id is taken from the message. */
export function wholeParts(parts: readonly Part[], message: Message | undefined): Part[] {
  return parts.map((part) =>
    part.mimeType ? part : (message?.parts.find(({ id }) => id === part.id) ?? part),
  );
}
