import type { Conversation, Message, Query } from '@parley/client';
import type { ChatUser } from './chat-user.ts';
import { paintImage } from './paint-image.ts';
import { withNotification } from './text.ts';
import type { UploadData } from './uploads.ts';

const TYPING_MS = 900;
/** How long the tour waits for the picture at most: when the visitor writes meanwhile, it is not the newest message. */
const PATIENCE_MS = 10_000;

/** Plays a short chat between two users: with a typing indicator, receipts, an image, and one user offline for a while. */
export async function runTour(ada: ChatUser, grace: ChatUser, say: (text: string) => void): Promise<void> {
  const created = await ada.client.createConversation({ participants: [grace.id], distinct: true });
  const known = await until(ada.client.conversation(created.id), (one) => one?.state === 'sent');
  const conversation = known?.id ?? created.id;

  say(`${ada.name} types, and the message arrives: ✓ sent, ✓✓ delivered, blue when it is read.`);
  await read(await typeAndSend(ada, conversation, `Hello, ${grace.name}!`), grace);
  await typeAndSend(grace, conversation, 'Hello! Can you send me the picture?');

  say('An image travels, with its progress.');
  const data: UploadData = { conversation };
  await ada.client.uploads.start(await paintImage(), { name: 'picture.png', data }).done();
  await Promise.race([
    until(grace.client.conversation(conversation), (one) => isImage(one?.lastMessage)),
    pause(PATIENCE_MS),
  ]);
  await pause(TYPING_MS);

  say(`${grace.name} pulls the plug. Both write on.`);
  grace.offline.set(true);
  await typeAndSend(ada, conversation, 'Are you in the tunnel?');
  const waiting = await typeAndSend(grace, conversation, 'I wrote this without a network.');
  await pause(TYPING_MS);

  say(`${grace.name} is back, and nothing is lost. Now it is your turn.`);
  grace.offline.set(false);
  await waiting.settled();
}

/** Waits until a live query says so. */
export async function until<T>(query: Query<T>, isReached: (value: T) => boolean): Promise<T> {
  for await (const value of query) if (isReached(value)) return value;
  throw new Error('The client has ended.');
}

async function typeAndSend({ client, name }: ChatUser, id: string, text: string): Promise<Message> {
  const conversation = await until(client.conversation(id), (one) => one !== undefined);
  conversation?.setTyping(true);
  await pause(TYPING_MS);
  conversation?.setTyping(false);
  if (!conversation) throw new Error('The conversation is gone.');
  return conversation.send(withNotification(name, text));
}

/** Waits until the other user has read a message, which takes as long as their pane is not looked at. */
async function read(message: Message, by: ChatUser): Promise<void> {
  await message.settled();
  await Promise.race([
    until(by.client.conversation(message.conversationId), (one) => isRead(one, message)),
    pause(2 * TYPING_MS),
  ]);
}

function isRead(conversation: Conversation | undefined, message: Message): boolean {
  return conversation?.lastMessage?.id === message.id && conversation.unreadCount === 0;
}

function isImage(message: Message | undefined): boolean {
  return message?.parts.some(({ mime_type: type }) => type.startsWith('image/')) ?? false;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
