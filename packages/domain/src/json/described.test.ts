import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ExportEvent } from '@parley/contract/records/export-event';
import { NOTICES } from '@parley/contract/records/webhook-event';
import { mismatches } from '@parley/contract/testing/mismatches';
import type { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { type Event } from '@parley/proto/parley/event/v1/event_pb';
import { IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import { ConversationSchema } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { EXPORT_EVENTS, type ExportEvent as ExportEventName } from '../events/export-events.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../events/webhook-events.ts';
import {
  appId,
  basicIdentity,
  conversationId,
  messageId,
  partId,
  sampleEvent,
  sampleMessage,
  samplePart,
  sentAt,
  viewOf,
} from '../testing/samples.ts';
import { exportEventJson } from './export-event.ts';
import { webhookBodyJson } from './webhook-body.ts';

type Body = NonNullable<MessageInitShape<typeof EventSchema>['body']>;

const view = viewOf('server');
const message = {
  ...sampleMessage(),
  notification: { $typeName: 'parley.messaging.v1.Notification', title: 'Hi' },
} as const;
const conversation = create(ConversationSchema, {
  appId,
  id: conversationId,
  createdAt: sentAt,
  participants: [basicIdentity('alice', 'Alice'), basicIdentity('bob')],
  distinct: true,
  metadata: { topic: { colour: 'red' } },
});
const part = samplePart({ body: 'hello', updatedAt: sentAt });
const identity = { userId: 'alice', type: IdentityType.BOT, metadata: { team: 'analysis' } };
const receipt = { type: ReceiptType.READ, messageId, position: 7, userId: 'bob' };
const updated: Body = {
  case: 'conversationUpdated',
  value: { conversation, added: [basicIdentity('bob')], removed: [basicIdentity('carol')] },
};

const restricted: Body = {
  case: 'restrictionChanged',
  value: {
    restriction: {
      kind: 'ban',
      user: basicIdentity('bob'),
      createdBy: 'alice',
      createdAt: sentAt,
      until: sentAt,
    },
  },
};

const CREATED: Body = { case: 'messageCreated', value: { message } };
const DELETED: Body = { case: 'messageDeleted', value: { messageId, message } };
const CONVERSATION_CREATED: Body = { case: 'conversationCreated', value: { conversation } };
const CONVERSATION_DELETED: Body = { case: 'conversationDeleted', value: { conversation } };
const RECEIPT: Body = { case: 'receiptRecorded', value: receipt };

const SETTLED = {
  recipient: basicIdentity('bob'),
  ...{ deviceId: 'phone', provider: 'fcm', attempts: 1 },
};

const REACTED: Body = {
  case: 'reactionsChanged',
  value: {
    messageId,
    position: 7,
    changes: [{ id: partId, key: '👍', user: { userId: 'bob' }, createdAt: sentAt }],
  },
};
const UPDATED: Body = {
  case: 'messageUpdated',
  value: { messageId, message: { ...message, metadata: '{"a":{"b":1,"c":true}}' } },
};

const NOTICED: Record<WebhookEvent, Body> = {
  'Message.created': CREATED,
  'Message.updated': { case: 'messagePartsChanged', value: { messageId, message, removedPartIds: [partId] } },
  'Message.deleted': DELETED,
  'MessagePart.created': { case: 'messagePartsChanged', value: { messageId, added: [part] } },
  'MessagePart.updated': { case: 'messagePartsChanged', value: { messageId, updated: [part] } },
  'MessagePart.deleted': { case: 'messagePartsChanged', value: { messageId, removedPartIds: [partId] } },
  'Reaction.created': REACTED,
  'Reaction.deleted': REACTED,
  'Receipt.created': RECEIPT,
  'Conversation.created': CONVERSATION_CREATED,
  'Conversation.updated': updated,
  'Conversation.deleted': CONVERSATION_DELETED,
  'Participation.created': updated,
  'Participation.deleted': updated,
  'Participation.updated': updated,
  'Restriction.created': restricted,
  'Restriction.deleted': restricted,
  'Identity.created': { case: 'identityChanged', value: { identity, created: true } },
  'Identity.updated': { case: 'identityChanged', value: { identity, metadataLeftOut: true } },
  'Push.delivered': { case: 'pushSettled', value: { ...SETTLED, delivered: true } },
  'Push.failed': { case: 'pushSettled', value: { ...SETTLED, reason: '410 gone' } },
};

function event(body: Body, actor?: string): Event {
  const made = sampleEvent(body);
  return actor === undefined ? made : { ...made, actor: basicIdentity(actor) };
}

test.each(WEBHOOK_EVENTS)('the body of %s is as described', (type) => {
  for (const extras of [{}, { config: { tenant: 'blue' }, statuses: new Map([['bob', 'sent' as const]]) }]) {
    const body = webhookBodyJson(view, { type, event: event(NOTICED[type]) }, extras);
    expect(mismatches(NOTICES[type], body)).toEqual([]);
  }
  const acted = webhookBodyJson(view, { type, event: event(NOTICED[type], 'alice') }, {});
  expect(mismatches(NOTICES[type], acted)).toEqual([]);
});

const EXPORTED: Record<ExportEventName, Body> = {
  'message.sent': CREATED,
  'message.updated': UPDATED,
  'message.deleted': DELETED,
  'reaction.created': REACTED,
  'reaction.deleted': REACTED,
  'message.delivered': RECEIPT,
  'message.read': RECEIPT,
  'conversation.created': CONVERSATION_CREATED,
  'conversation.updated.metadata': updated,
  'conversation.updated.participants': updated,
  'conversation.updated.roles': updated,
  'conversation.updated.settings': updated,
  'conversation.deleted': CONVERSATION_DELETED,
  'restriction.created': restricted,
  'restriction.deleted': restricted,
  'push.delivered': {
    case: 'pushSettled',
    value: { ...SETTLED, conversationId, messageId, delivered: true },
  },
  'push.failed': { case: 'pushSettled', value: { ...SETTLED, reason: '410 gone' } },
};

test.each(EXPORT_EVENTS)('an entry of %s in an archive is as described', (kind) => {
  const entry = exportEventJson(view, kind, event(EXPORTED[kind], 'alice'));
  expect(mismatches(ExportEvent, entry)).toEqual([]);
});

test('no notice is made of an event about one user alone', () => {
  const hidden = event({ case: 'messageHidden', value: { userId: 'bob', messageId } });
  expect(() => webhookBodyJson(view, { type: 'Message.deleted', event: hidden }, {})).toThrow(
    'messageHidden',
  );
});
