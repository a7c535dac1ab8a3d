import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import type { WebhookEvent } from '@parley/domain/events/webhook-events';
import type { Notice } from '@parley/domain/json/webhook-body';
import type { RecipientStatuses } from '@parley/domain/receipts';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';

type Body = NonNullable<MessageInitShape<typeof EventSchema>['body']>;

/** `at`: when it is sent, in milliseconds; `newId` makes the ids of what the example names. */
export type TestEvent = { appId: string; id: string; at: number; newId: () => string };

const SENDER = { userId: 'example-sender', displayName: 'Example sender' };
const RECIPIENT = { userId: 'example-recipient', displayName: 'Example recipient' };

/** A notice with an example of an event, which `is_test` marks. Its users, conversation and message do not exist. */
export function testNotice(type: WebhookEvent, { appId, id, at, newId }: TestEvent): Notice {
  const conversationId = newId();
  const message = {
    appId,
    id: newId(),
    conversationId,
    position: 1,
    sender: SENDER,
    sentAt: at,
    parts: [{ id: newId(), mimeType: 'text/plain', body: 'This is a test.' }],
  };
  const conversation = {
    appId,
    id: conversationId,
    createdAt: at,
    participants: [SENDER, RECIPIENT],
    seq: 1,
    membersSeq: 1,
    metadata: { title: 'Test' },
  };
  const identity = { appId, ...SENDER, type: IdentityType.USER, version: 1 };
  const restriction = { kind: 'mute', user: RECIPIENT, createdBy: SENDER.userId, createdAt: at };
  const bodies = {
    ...messageBodies(message, newId()),
    'Conversation.created': { case: 'conversationCreated', value: { conversation } },
    'Conversation.updated': { case: 'conversationUpdated', value: { conversation } },
    'Conversation.deleted': { case: 'conversationDeleted', value: { conversation } },
    'Participation.created': { case: 'conversationUpdated', value: { conversation, added: [RECIPIENT] } },
    'Participation.deleted': { case: 'conversationUpdated', value: { conversation, removed: [RECIPIENT] } },
    'Participation.updated': { case: 'conversationUpdated', value: { conversation } },
    'Restriction.created': { case: 'restrictionChanged', value: { restriction } },
    'Restriction.deleted': { case: 'restrictionChanged', value: { restriction, ended: true } },
    'Identity.created': { case: 'identityChanged', value: { identity, created: true } },
    'Identity.updated': { case: 'identityChanged', value: { identity, fields: ['display_name'] } },
  } satisfies Record<WebhookEvent, Body>;
  const actor = type.startsWith('Push.') ? undefined : /^(Receipt|Reaction)/.test(type) ? RECIPIENT : SENDER;
  const event = create(EventSchema, {
    id,
    appId,
    createdAt: at,
    conversationId,
    isTest: true,
    ...(actor && { actor }),
    body: bodies[type],
  });
  return { type, event };
}

/** Statuses of an example, whose conversation messaging does not know: only the sender has read the message. */
export function statusesOfTestEvent({ body }: Event): RecipientStatuses | undefined {
  const hasMessage =
    body.case === 'messageCreated' || body.case === 'messageDeleted' || body.case === 'messagePartsChanged';
  if (!hasMessage) return undefined;
  return new Map([
    [SENDER.userId, 'read'],
    [RECIPIENT.userId, 'sent'],
  ]);
}

type Message = {
  id: string;
  conversationId: string;
  position: number;
  sentAt: number;
  parts: { id: string; mimeType: string; body: string }[];
};

function messageBodies(message: Message, reactionId: string) {
  const { id: messageId, conversationId, position, parts, sentAt: createdAt } = message;
  const reaction = { id: reactionId, key: '👍', user: RECIPIENT, createdAt };
  const change = { messageId, position, message };
  const push = {
    recipient: RECIPIENT,
    deviceId: 'example-device',
    provider: 'fcm',
    conversationId,
    messageId,
  };
  return {
    'Message.created': { case: 'messageCreated', value: { message } },
    'Message.updated': { case: 'messagePartsChanged', value: change },
    'Message.deleted': { case: 'messageDeleted', value: { messageId, position, message } },
    'MessagePart.created': { case: 'messagePartsChanged', value: { ...change, added: parts } },
    'MessagePart.updated': { case: 'messagePartsChanged', value: { ...change, updated: parts } },
    'MessagePart.deleted': {
      case: 'messagePartsChanged',
      value: { ...change, removedPartIds: parts.map(({ id }) => id) },
    },
    'Reaction.created': { case: 'reactionsChanged', value: { messageId, position, changes: [reaction] } },
    'Reaction.deleted': {
      case: 'reactionsChanged',
      value: { messageId, position, changes: [{ ...reaction, removed: true }] },
    },
    'Receipt.created': {
      case: 'receiptRecorded',
      value: {
        type: ReceiptType.READ,
        userId: RECIPIENT.userId,
        messageId,
        position,
        senderUserId: SENDER.userId,
      },
    },
    'Push.delivered': { case: 'pushSettled', value: { ...push, delivered: true, attempts: 1 } },
    'Push.failed': {
      case: 'pushSettled',
      value: { ...push, delivered: false, attempts: 1, reason: '404 UNREGISTERED' },
    },
  } satisfies Partial<Record<WebhookEvent, Body>>;
}
