import type { Told } from '../../test/support/told.ts';

/** The last that happened in a conversation: its only message was sent, read, read with all others, or hidden. */
export type Silent = {
  conversation: string;
  message: string;
  position: number;
  sender: string;
  reader: string;
  act: 'none' | 'read' | 'allRead' | 'hide';
};

export type SilentSocket = { user: string; socket: string; messages: ReadonlySet<string>; told: Told };

/** Describes what sockets were not told, although no later change of the conversation tells it. */
export function checkSilent(silent: readonly Silent[], sockets: readonly SilentSocket[]): string[] {
  return sockets.flatMap(({ socket, ...of }) =>
    silent.flatMap((one) => problemsOf(one, of).map((problem) => `${socket}: ${problem}`)),
  );
}

function problemsOf(
  { conversation, message, position, sender, reader, act }: Silent,
  { user, told, messages }: Omit<SilentSocket, 'socket'>,
): string[] {
  // When a user has hidden a message, a socket that they open later is not told of it.
  if (user === reader && act === 'hide')
    return messages.has(message) && !told.deleted.has(message)
      ? [`the user hid ${message}, and this was not told`]
      : [];
  if (!messages.has(message)) return [`${message} did not come, and then nothing else`];
  if (act === 'none') return [];
  if (user === reader && told.unread.get(conversation) !== 0)
    return [`${message} was read, and ${told.unread.get(conversation)} were told as unread last`];
  if (user !== sender || act === 'hide') return [];
  const isRead =
    told.statuses.get(`${message} ${reader}`) === 'read' ||
    (told.allRead.get(`${conversation} ${reader}`) ?? 0) >= position;
  return isRead ? [] : [`${reader} has read ${message}, and this was not told`];
}
