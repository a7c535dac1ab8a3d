import type { Message, Part } from '@parley/proto/parley/messaging/v1/message_pb';

/** The parts of an event; a part of which the event holds only the id is taken from the message. */
export function wholeParts(parts: readonly Part[], message: Message | undefined): Part[] {
  if (!message || parts.every(({ mimeType }) => mimeType)) return [...parts];
  const byId = new Map(message.parts.map((part) => [part.id, part]));
  return parts.map((part) => (part.mimeType ? part : (byId.get(part.id) ?? part)));
}
