import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { recipientStatus } from '@parley/domain/receipts';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { ReceiptType, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import type { TestMessaging } from './service.ts';

export type Room = { appId: string; conversationId: string };
type Draft = Partial<Omit<MessageInitShape<typeof MessageDraftSchema>, '$typeName'>>;

export async function createRoom(
  { messaging }: TestMessaging,
  participantIds: string[],
  appId: string = randomUUID(),
): Promise<Room> {
  const { conversation } = await messaging.createConversation({
    appId,
    participantIds,
    userId: participantIds[0]!,
  });
  return { appId, conversationId: conversation!.id };
}

/** A draft with all fields that the gateway sets. */
export function draft(room: Room, senderId: string, fields: Draft = {}) {
  const parts = [{ id: randomUUID(), mimeType: 'text/plain', body: 'hello' }];
  return { ...room, senderId, id: randomUUID(), requestId: randomUUID(), parts, ...fields };
}

export async function send(
  service: TestMessaging,
  room: Room,
  senderId: string,
  fields: Draft = {},
): Promise<Message> {
  const [message] = await sendAll(service, [draft(room, senderId, fields)]);
  return message!;
}

/** Fails unless all messages are stored. */
export async function sendAll(
  { messaging }: TestMessaging,
  items: ReturnType<typeof draft>[],
): Promise<Message[]> {
  const { results } = await messaging.sendMessages({ items });
  return results.map(({ outcome }) => {
    if (outcome.case !== 'sent' || !outcome.value.message)
      throw new Error(`not sent: ${JSON.stringify(outcome)}`);
    return outcome.value.message;
  });
}

/** A short form of a message's outcome. */
export async function trySend(service: TestMessaging, item: ReturnType<typeof draft>): Promise<string> {
  const [result] = (await service.messaging.sendMessages({ items: [item] })).results;
  const { outcome } = result!;
  return outcome.case === 'problem' ? nameOf(outcome.value) : String(outcome.case);
}

export function nameOf({ id, data }: Problem): string {
  return data?.property === undefined ? id : `${id}: ${String(data.property)}`;
}

export async function receipt(
  { messaging }: TestMessaging,
  { appId, userId, messageId }: { appId: string; userId: string; messageId: string },
  type: 'read' | 'delivery' = 'read',
): Promise<string> {
  const kind = type === 'read' ? ReceiptType.READ : ReceiptType.DELIVERY;
  const { results } = await messaging.recordReceipts({ items: [{ appId, userId, messageId, type: kind }] });
  const { problem } = results[0]!;
  return problem ? nameOf(problem) : 'recorded';
}

export async function getConversation(
  { messaging }: TestMessaging,
  room: Room,
  userId: string,
): Promise<Conversation> {
  const { conversation } = await messaging.getConversation({
    appId: room.appId,
    id: room.conversationId,
    userId,
  });
  return conversation!;
}

export async function unreadCount({ messaging }: TestMessaging, room: Room, userId: string): Promise<number> {
  return (await messaging.getUnreadCounts({ items: [{ ...room, userId }] })).results[0]!.unreadMessageCount;
}

export type Listed = { message: Message; statuses: Record<string, string> };

/** The messages that the user sees, newest first, page by page. */
export async function listAll({ messaging }: TestMessaging, room: Room, userId: string, pages = Infinity) {
  const messages: Listed[] = [];
  for (let fromId = '', read = 1; ; read++) {
    const page = await messaging.listMessages({ ...room, userId, fromId, pageSize: 100 });
    for (const message of page.messages) {
      const statuses = recipientStatus(page.receipts, message);
      messages.push({ message, statuses: Object.fromEntries(statuses) });
    }
    if (page.messages.length < 100 || read === pages) return { messages, total: page.total };
    fromId = page.messages.at(-1)!.id;
  }
}
