import type { Message, Part } from '@parley/proto/parley/messaging/v1/message_pb';

/** Parts as an event names them, those that it names only by their ids with what the message has of them. */
export function wholeParts(parts: readonly Part[], message: Message | undefined): Part[] {
  return parts.map((part) =>
    part.mimeType ? part : (message?.parts.find(({ id }) => id === part.id) ?? part),
  );
}
