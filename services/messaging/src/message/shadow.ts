import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';

/** The users whose sockets get an event about a message: its sender alone, of a shadowed one; empty: all participants. */
export function readersOf({ shadowed, sender }: Pick<Message, 'shadowed' | 'sender'>): string[] {
  return shadowed && sender ? [sender.userId] : [];
}

/** Readers of an event that no socket gets: no user has the empty id. */
export const NO_READERS: readonly string[] = [''];
