import type { Conversation, Message, Query } from '@parley/client';
import type { ChatUser } from './chat-user.ts';
import { paintImage } from './paint-image.ts';
import { openConversation } from './use-opened.ts';

const TYPING_MS = 1_600;
/** How long the tour waits at most for what depends on the other window: it may be hidden, or the visitor may write meanwhile. */
const PATIENCE_MS = 10_000;

/** Says what is to be seen, has it happen, and resolves when the visitor has seen it. */
export type ShowStep = (text: string, happen: () => Promise<void>) => Promise<void>;

export const STEPS = 4;

/** Opens the conversation of two users in the windows of both, and returns its URI. */
export async function openTogether(ada: ChatUser, grace: ChatUser): Promise<string> {
  const created = await ada.client.createConversation({ participants: [grace.id], distinct: true });
  const known = await until(ada.client.conversation(created.id), (one) => one?.state === 'sent');
  const conversation = known?.id ?? created.id;
  for (const { id } of [ada, grace]) openConversation(id, conversation, 'replaceState');
  return conversation;
}

/** Plays a short chat between two users: with a typing indicator, receipts, code, an image, and one user offline for a while. */
export async function runTour(ada: ChatUser, grace: ChatUser, show: ShowStep): Promise<void> {
  const conversation = await openTogether(ada, grace);
  await show(
    `${ada.name} types, and the message arrives: one tick when it is sent, two when it is delivered, blue when it is read. ${grace.name} reacts with a wave.`,
    async () => {
      const hello = await typeAndSend(ada, conversation, `Hello, ${grace.name}!`);
      await read(hello, grace);
      await react(grace, hello, '👋');
      await typeAndSend(grace, conversation, 'Hello! Can you send me the picture? And how do I start it?');
    },
  );
  await show('Code and pictures: a file is part of its message, which waits for it.', async () => {
    await typeAndSend(ada, conversation, 'With **two commands**:\n```sh\nnpm start\nnpm test\n```');
    await sendPicture(ada, conversation);
    const arrived = until(grace.client.conversation(conversation), (one) => isImage(one?.lastMessage));
    await Promise.race([arrived, pause(PATIENCE_MS)]);
  });
  let waiting: Message | undefined;
  await show(`${grace.name} pulls the plug. Both write on; what waits is kept on the device.`, async () => {
    grace.offline.set(true);
    await typeAndSend(ada, conversation, 'Are you in the tunnel?');
    waiting = await typeAndSend(grace, conversation, 'I wrote this without a network.');
  });
  await show(
    `${grace.name} is back, and nothing is lost. Your turn: write, or pull plugs and kill processes under the hood.`,
    async () => {
      grace.offline.set(false);
      await waiting?.settled();
    },
  );
}

/** Waits until a live query says so. */
export async function until<T>(query: Query<T>, isReached: (value: T) => boolean): Promise<T> {
  for await (const value of query) if (isReached(value)) return value;
  throw new Error('The client has ended.');
}

async function find({ client }: ChatUser, id: string): Promise<Conversation> {
  const conversation = await until(client.conversation(id), (one) => one !== undefined);
  if (!conversation) throw new Error('The conversation is gone.');
  return conversation;
}

async function typeAndSend(user: ChatUser, id: string, text: string): Promise<Message> {
  const conversation = await find(user, id);
  conversation.setTyping(true);
  await pause(TYPING_MS);
  conversation.setTyping(false);
  return conversation.send({ text, notification: { title: user.name, text } });
}

async function sendPicture(user: ChatUser, id: string): Promise<void> {
  const conversation = await find(user, id);
  const file = new File([await paintImage()], 'picture.png', { type: 'image/png' });
  await conversation.send({ files: [file], notification: { title: user.name, text: 'A picture' } });
}

/** Waits until the other user has read a message, which takes as long as their window is not looked at. */
async function read(message: Message, by: ChatUser): Promise<void> {
  await message.settled();
  await Promise.race([
    until(by.client.conversation(message.conversationId), (one) => isRead(one, message)),
    pause(2 * TYPING_MS),
  ]);
}

/** Reacts to a message when it is on the user's device; if it does not arrive, the tour goes on. */
async function react({ client }: ChatUser, { id, conversationId }: Message, key: string): Promise<void> {
  const arrived = until(client.messages(conversationId), ({ items }) => items.some((one) => one.id === id));
  const list = await Promise.race([arrived, pause(2 * TYPING_MS)]);
  await list?.items.find((one) => one.id === id)?.react(key);
}

function isRead(conversation: Conversation | undefined, message: Message): boolean {
  return conversation?.lastMessage?.id === message.id && conversation.unreadCount === 0;
}

function isImage(message: Message | undefined): boolean {
  return message?.parts.some(({ mime_type: type }) => type.startsWith('image/')) ?? false;
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
