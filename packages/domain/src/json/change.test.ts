import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { ConversationUpdatedSchema } from '@parley/proto/parley/event/v1/event_pb';
import { IdentitySchema } from '@parley/proto/parley/identity/v1/identity_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { parsePatch } from '../parse/patch.ts';
import type { RecipientStatus } from '../receipts.ts';
import {
  basicIdentity,
  conversationId,
  messageId,
  partId,
  sampleEvent,
  sampleMessage,
  samplePart,
  sentAt,
  viewOf,
  wire,
} from '../testing/samples.ts';
import { changeBodies } from './change.ts';
import { basicIdentityJson } from './identity.ts';
import { messageJson } from './message.ts';

const view = viewOf('client', 'bob');
const conversationObject = {
  type: 'Conversation',
  id: `svc:///conversations/${conversationId}`,
  url: `https://chat.example/conversations/${conversationId}`,
};
const messageObject = {
  type: 'Message',
  id: `svc:///messages/${messageId}`,
  url: `https://chat.example/messages/${messageId}`,
};
const conversation = {
  id: conversationId,
  createdAt: sentAt,
  participants: [{ userId: 'alice' }, { userId: 'bob' }],
};

describe('a conversation', () => {
  const updated = (value: Omit<MessageInitShape<typeof ConversationUpdatedSchema>, '$typeName'>) =>
    sampleEvent({ case: 'conversationUpdated', value: { conversation, ...value } });

  test('that is new is told whole', () => {
    const event = sampleEvent({ case: 'conversationCreated', value: { conversation } });
    const [body, ...others] = changeBodies(view, event);
    expect(others).toEqual([]);
    expect(body).toMatchObject({ operation: 'create', object: conversationObject });
    expect(body?.data).toMatchObject({
      id: conversationObject.id,
      unread_message_count: 0,
      last_message: null,
    });
  });

  test('that changed is told as the steps that did it', () => {
    const operations = parsePatch(wire, [
      { operation: 'set', property: 'metadata.a\\.b.c', value: { d: 'x' } },
      { operation: 'delete', property: 'metadata.e' },
      { operation: 'set', property: 'metadata', value: {} },
      { operation: 'add', property: 'participants', id: 'carol' },
      { operation: 'remove', property: 'participants', id: 'dave' },
    ]);
    const added = [basicIdentity('carol', 'Carol')];
    const event = updated({ operations, added, removedUserIds: ['dave'], distinctCleared: true });
    expect(changeBodies(view, event)).toEqual([
      {
        operation: 'update',
        object: conversationObject,
        data: [
          { operation: 'set', property: 'metadata.a\\.b.c', value: { d: 'x' } },
          { operation: 'delete', property: 'metadata.e' },
          { operation: 'set', property: 'metadata', value: {} },
          {
            operation: 'add',
            property: 'participants',
            id: 'svc:///identities/carol',
            value: basicIdentityJson(view, basicIdentity('carol', 'Carol')),
          },
          { operation: 'remove', property: 'participants', id: 'svc:///identities/dave' },
          { operation: 'set', property: 'distinct', value: false },
        ],
      },
    ]);
  });

  test('is told whole to whom it was opened', () => {
    const event = updated({ added: [basicIdentity('bob')] });
    expect(changeBodies(view, event)).toMatchObject([{ operation: 'create', object: conversationObject }]);
  });

  test('tells who was removed no more than that', () => {
    const operations = parsePatch(wire, [{ operation: 'set', property: 'metadata.a', value: 'secret' }]);
    const event = updated({ operations, removedUserIds: ['bob'] });
    const data = [{ operation: 'remove', property: 'participants', id: 'svc:///identities/bob' }];
    expect(changeBodies(view, event)).toEqual([{ operation: 'update', object: conversationObject, data }]);
  });

  test('that did not change is not told', () => {
    expect(changeBodies(view, updated({}))).toEqual([]);
  });

  test('that was deleted for all, or on the own devices', () => {
    expect(changeBodies(view, sampleEvent({ case: 'conversationDeleted', value: {} }))).toEqual([
      {
        operation: 'delete',
        object: conversationObject,
        data: { mode: 'all_participants', from_position: null },
      },
    ]);
    const hidden = sampleEvent({ case: 'conversationHidden', value: { userId: 'bob', fromPosition: 9 } });
    expect(changeBodies(view, hidden)).toEqual([
      { operation: 'delete', object: conversationObject, data: { mode: 'my_devices', from_position: 9 } },
    ]);
  });
});

describe('a message', () => {
  const created = sampleEvent({
    case: 'messageCreated',
    value: { message: sampleMessage({ low: true }), hiddenFrom: ['mallory'] },
  });
  const statuses = new Map<string, RecipientStatus>([
    ['alice', 'read'],
    ['bob', 'sent'],
  ]);

  test('that is new is sent whole', () => {
    expect(changeBodies(view, created, { statuses })).toEqual([
      {
        operation: 'create',
        object: messageObject,
        data: messageJson(view, sampleMessage({ isUnread: true }), statuses),
      },
    ]);
  });

  test.each([
    ['alice', false],
    ['bob', true],
  ])('is for %s unread: %p', (userId, isUnread) => {
    const [body] = changeBodies(viewOf('client', userId), created, { statuses });
    expect(body?.data).toMatchObject({
      is_unread: isUnread,
      recipient_status: { 'svc:///identities/alice': 'read', 'svc:///identities/bob': 'sent' },
    });
  });

  test('makes no change for a user from whom it is hidden', () => {
    expect(changeBodies(viewOf('client', 'mallory'), created, { statuses })).toEqual([]);
  });

  test('that was deleted for all, or on the own devices', () => {
    const deleted = sampleEvent({ case: 'messageDeleted', value: { messageId } });
    const hidden = sampleEvent({ case: 'messageHidden', value: { messageId, userId: 'bob' } });
    expect(changeBodies(view, deleted)).toEqual([
      { operation: 'delete', object: messageObject, data: { mode: 'all_participants' } },
    ]);
    expect(changeBodies(view, hidden)).toEqual([
      { operation: 'delete', object: messageObject, data: { mode: 'my_devices' } },
    ]);
  });

  test.each([
    [ReceiptType.READ, 'read'],
    [ReceiptType.DELIVERY, 'delivered'],
  ])('a receipt of type %i makes it %s for whom it is of, the dots of their id escaped', (type, value) => {
    const event = sampleEvent({ case: 'receiptRecorded', value: { type, userId: 'j.doe@x.org', messageId } });
    const property = 'recipient_status.svc:///identities/j\\.doe%40x\\.org';
    expect(changeBodies(view, event)).toEqual([
      { operation: 'update', object: messageObject, data: [{ operation: 'set', property, value }] },
    ]);
  });

  test('parts that came and went are its change, parts that were rewritten their own', () => {
    const part = samplePart({ body: 'new', updatedAt: sentAt });
    const value = { messageId, added: [part], removedPartIds: [conversationId], updated: [part] };
    const bodies = changeBodies(view, sampleEvent({ case: 'messagePartsChanged', value }));
    const id = `svc:///messages/${messageId}/parts/${partId}`;
    expect(bodies).toEqual([
      {
        operation: 'update',
        object: messageObject,
        data: [
          {
            operation: 'remove',
            property: 'parts',
            id: `svc:///messages/${messageId}/parts/${conversationId}`,
          },
          { operation: 'add', property: 'parts', id, value: expect.objectContaining({ id, body: 'new' }) },
        ],
      },
      {
        operation: 'update',
        object: { type: 'MessagePart', id, url: `${messageObject.url}/parts/${partId}` },
        data: [
          { operation: 'set', property: 'body', value: 'new' },
          { operation: 'set', property: 'mime_type', value: 'text/plain' },
          { operation: 'set', property: 'encoding', value: null },
          { operation: 'set', property: 'content', value: null },
          { operation: 'set', property: 'updated_at', value: '2026-11-20T20:15:30.123Z' },
        ],
      },
    ]);
  });
});

describe('an identity', () => {
  const object = {
    type: 'Identity',
    id: 'svc:///identities/alice',
    url: 'https://chat.example/identities/alice',
  };
  const identity = create(IdentitySchema, { userId: 'alice', displayName: 'Alice', metadata: { a: 'b' } });

  test('that is new is told whole', () => {
    const event = sampleEvent({ case: 'identityChanged', value: { identity, created: true } });
    expect(changeBodies(view, event)).toMatchObject([
      { operation: 'create', object, data: { user_id: 'alice', presence: { status: 'offline' } } },
    ]);
  });

  test('whose metadata the event left out is told without it', () => {
    const value = { identity, fields: ['display_name', 'metadata'], metadataLeftOut: true };
    expect(changeBodies(view, sampleEvent({ case: 'identityChanged', value }))).toMatchObject([
      { operation: 'update', object, data: [{ property: 'display_name' }] },
    ]);
    const created = sampleEvent({ case: 'identityChanged', value: { ...value, created: true } });
    expect(changeBodies(view, created)[0]).not.toHaveProperty('data.metadata');
  });

  test('that changed is told as the fields that did', () => {
    const fields = ['display_name', 'avatar_url', 'metadata', 'type', 'suspended'];
    const event = sampleEvent({ case: 'identityChanged', value: { identity, fields } });
    expect(changeBodies(view, event)).toEqual([
      {
        operation: 'update',
        object,
        data: [
          { operation: 'set', property: 'display_name', value: 'Alice' },
          { operation: 'set', property: 'avatar_url', value: null },
          { operation: 'set', property: 'metadata', value: { a: 'b' } },
          { operation: 'set', property: 'type', value: 'User' },
          { operation: 'set', property: 'identity_type', value: 'user' },
        ],
      },
    ]);
  });

  test('whose suspension alone changed is not told', () => {
    const event = sampleEvent({ case: 'identityChanged', value: { identity, fields: ['suspended'] } });
    expect(changeBodies(view, event)).toEqual([]);
  });

  test('that was deleted is told as gone', () => {
    const gone = create(IdentitySchema, { userId: 'alice', deleted: true });
    const event = sampleEvent({ case: 'identityChanged', value: { identity: gone, fields: ['deleted'] } });
    expect(changeBodies(view, event)).toEqual([{ operation: 'delete', object, data: {} }]);
  });
});

test('an event that other packets carry makes no change', () => {
  const allRead = sampleEvent({ case: 'allRead', value: { userId: 'bob', position: 9 } });
  expect(changeBodies(view, allRead)).toEqual([]);
  expect(changeBodies(view, sampleEvent({ case: 'userErased', value: { userId: 'x' } }))).toEqual([]);
  expect(changeBodies(view, sampleEvent({ case: 'sessionsEnded', value: { userId: 'x' } }))).toEqual([]);
});
