import { create } from '@bufbuild/protobuf';
import { MessageInput } from '@parley/contract/records/message-input';
import { validValues } from '@parley/contract/testing/valid-values';
import { changeBodies } from '@parley/domain/json/change';
import { messageJson } from '@parley/domain/json/message';
import { parseMessage } from '@parley/domain/parse/message';
import type { RecipientStatus } from '@parley/domain/receipts';
import { appId, rules, sampleEvent, sampleMessage, viewOf } from '@parley/domain/testing/samples';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { BasicIdentitySchema } from '@parley/proto/parley/identity/v1/identity_pb';
import { NotificationSchema, PartSchema, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { AudienceSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import fc from 'fast-check';
import { packetJson, type FrameBody } from '../../connection/frame.ts';
import type { Audiences } from '../../../upstream/messaging/audiences.ts';
import { createMessageTexts, type MessageTexts } from '../../../upstream/messaging/message-texts.ts';
import { sentMessageText } from '../../../upstream/messaging/sent-message.ts';
import { OwnMessages } from '../../connection/own-messages.ts';
import type { RenderContext } from './context.ts';
import { renderMessageCreated } from './message-created.ts';
import type { PacketSink } from './recipients.ts';

const SEQ = 3;
const MAX_NAMED = 3;
const CLIENT = viewOf('client');

/** Texts that could be mistaken for the keys at which a message's text is divided. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(',"is_unread":', '"},"is_unread":false,"recipient_status":{}', 'Grüße, 漢字 😀', '\ud800'),
);
const time = fc.integer({ min: 0, max: 2_000_000_000_000 });
const part = fc
  .record(
    { id: fc.uuid(), mimeType: text, body: text, encoding: text, updatedAt: time },
    { requiredKeys: ['id'] },
  )
  .map((fields) => create(PartSchema, fields));
const parts = fc.oneof(
  fc.array(part, { maxLength: 3 }),
  validValues(MessageInput.properties.parts).map((input) => parseMessage(rules, { parts: input }).parts),
);
const userId = fc.stringMatching(/^[a-z!~' ]{1,5}$/);
const sender = fc
  .record({ userId, displayName: text, avatarUrl: text }, { requiredKeys: ['userId'] })
  .map((fields) => create(BasicIdentitySchema, fields));
const notification = fc
  .record({ title: text, text, sound: text }, { requiredKeys: [] })
  .map((fields) => create(NotificationSchema, fields));
const message = fc
  .record(
    { id: fc.uuid(), position: fc.nat(), parts, sentAt: time, sender, updatedAt: time, notification },
    { requiredKeys: ['id', 'position', 'parts', 'sentAt'] },
  )
  .map((fields): Message => ({ ...sampleMessage(), sender: undefined, ...fields }) as Message);
const members = fc.uniqueArray(userId, { maxLength: 5 });

type Case = { message: Message; members: readonly string[] };
const anyCase = fc.record({ message, members });

function eventOf(created: Message): Event {
  return sampleEvent({ case: 'messageCreated', value: { message: created } });
}

function statusesOf({ message: { sender }, members }: Case): Map<string, RecipientStatus> {
  const statuses = new Map(members.map((id): [string, RecipientStatus] => [id, 'sent']));
  return sender ? statuses.set(sender.userId, 'read') : statuses;
}

function audienceOf({ members }: Case) {
  return create(AudienceSchema, {
    members: members.map((id) => ({ identity: { userId: id }, joinedSeq: 1 })),
  });
}

/** Packet bodies that each member gets for the event, with or without prepared texts. */
function pushed({ texts, ...given }: Case & { texts: MessageTexts | undefined }): [string, string][] {
  const bodies: [string, string][] = [];
  const updates = { messageCreated: () => undefined } as Partial<RenderContext['updates']>;
  const note: RenderContext['note'] = () => undefined;
  const context = { view: { ...CLIENT, appId: '' }, updates, maxStatusesInFrame: MAX_NAMED, texts, note };
  const recipients = given.members.map((id) => ({
    userId: id,
    sockets: [{ push: (_: string, { json }: FrameBody) => void bodies.push([id, json]) }],
  }));
  void renderMessageCreated(context as RenderContext, {
    event: eventOf(given.message),
    audience: audienceOf(given),
    recipients,
  });
  return bodies;
}

/** Bodies made from the records, each independently. */
function expected(given: Case): [string, string][] {
  const event = eventOf(given.message);
  return given.members.map((id) => {
    const { sender } = given.message;
    const isNamed = given.members.length <= MAX_NAMED || id === sender?.userId;
    const statuses = statusesOf(isNamed ? given : { ...given, members: [] });
    return [id, JSON.stringify(changeBodies({ ...CLIENT, userId: id }, event, { statuses })[0])];
  });
}

function answered(given: Case, texts: MessageTexts): Promise<string> {
  const audiences = { peek: () => audienceOf(given) } as Partial<Audiences> as Audiences;
  const sent = { message: given.message, seq: SEQ, membersSeq: 1 };
  return sentMessageText({ audiences, messageTexts: texts }, CLIENT, sent);
}

function expectedAnswer(given: Case): string {
  return JSON.stringify(messageJson(CLIENT, { ...given.message, isUnread: false }, statusesOf(given)));
}

test('the answer and the packets of a message are those of its records, whichever is made first', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, fc.boolean(), async (given, answersFirst) => {
      const texts = createMessageTexts(() => true);
      const first = answersFirst ? await answered(given, texts) : undefined;
      expect(pushed({ ...given, texts })).toEqual(expected(given));
      expect(first ?? (await answered(given, texts))).toBe(expectedAnswer(given));
      expect(pushed({ ...given, texts: undefined })).toEqual(expected(given));
    }),
  );
});

test('the text of a message is not taken for another state of it, or for that of another application', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, message, fc.boolean(), async (given, other, isOther) => {
      const texts = createMessageTexts(() => true);
      await answered(given, texts);
      const changed = { ...other, id: given.message.id, appId: isOther ? 'other' : appId };
      const later = { ...given, message: changed };
      expect(pushed({ ...later, texts })).toEqual(expected(later));
    }),
  );
});

test('a text is kept for its second use, where users of the application are connected', () => {
  const sent: Message = { ...sampleMessage(), notification: undefined };
  const [followed, other] = [true, false].map((isFollowed) => createMessageTexts(() => isFollowed));
  expect(followed!.of(CLIENT, sent)).toBe(followed!.of(CLIENT, sent));
  expect(other!.of(CLIENT, sent)).not.toBe(other!.of(CLIENT, sent));
});

test('texts stay correct when more messages are kept than there are places', async () => {
  const texts = createMessageTexts(() => true);
  const cases = fc.sample(anyCase, 3_000);
  for (const given of cases) await answered(given, texts);
  for (const given of cases) expect(pushed({ ...given, texts })).toEqual(expected(given));
});

test('a packet is the JSON of its properties', () => {
  const body = { text: 'Grüße', list: [1, null] };
  const packet = { type: 'change', counter: 7, timestamp: '2026-11-20T20:15:30.123Z', body };
  expect(packetJson('change', 7, packet.timestamp, JSON.stringify(body))).toBe(JSON.stringify(packet));
});

describe('a lean socket', () => {
  type Pushed = { unread_message_count?: number; data: Record<string, unknown> };
  const created: Message = sampleMessage({ sender: create(BasicIdentitySchema, { userId: 'ann' }) });

  /** Packets of a message that a user's socket gets, with their unread count; `more` is the socket's own. */
  function pushedTo(
    userId: string,
    more: Partial<PacketSink>,
    statuses?: Map<string, RecipientStatus>,
  ): Pushed[] {
    const bodies: Pushed[] = [];
    const push = (_: string, { json }: FrameBody) => void bodies.push(JSON.parse(json) as Pushed);
    const socket = { push, isLean: true, ...more };
    const updates = { messageCreated: () => 3 } as Partial<RenderContext['updates']>;
    const context = {
      view: { ...CLIENT, appId: '' },
      updates,
      maxStatusesInFrame: MAX_NAMED,
      note: () => undefined,
    };
    void renderMessageCreated(context as Partial<RenderContext> as RenderContext, {
      event: eventOf(created),
      audience: audienceOf({ message: created, members: ['ann', 'bob'] }),
      recipients: [{ userId, sockets: [socket] }],
      ...(statuses && { statuses }),
    });
    return bodies;
  }

  test('gets the unread count with the message, and no statuses', () => {
    const [body] = pushedTo('bob', {});
    expect(body).toMatchObject({ operation: 'create', unread_message_count: 3, data: { position: 7 } });
    expect(Object.keys(body?.data ?? {})).toEqual(['position', 'conversation', 'parts', 'sent_at', 'sender']);
  });

  test('gets nothing of the message that it sent, once', () => {
    const ownMessages = new OwnMessages();
    ownMessages.begin(created.id);
    expect(pushedTo('ann', { ownMessages })).toEqual([]);
    ownMessages.answered(created.id);
    const [again] = pushedTo('ann', { ownMessages });
    expect(again?.data).toMatchObject({ is_unread: false, recipient_status: { ann: 'read', bob: 'sent' } });
  });

  test.each([
    ['bob', 'delivered', true],
    ['bob', 'read', false],
    ['ann', 'delivered', false],
  ] as const)(
    'is told by a replay whether %s has read the message that bob has %s',
    (userId, status, isUnread) => {
      const statuses = new Map<string, RecipientStatus>([
        ['ann', 'read'],
        ['bob', status],
      ]);
      const [body] = pushedTo(userId, {}, statuses);
      expect(body?.data).toMatchObject({
        is_unread: isUnread,
        recipient_status: { ann: 'read', bob: status },
      });
      expect(pushedTo(userId, { isLean: false }, statuses)[0]?.data).toMatchObject({ is_unread: isUnread });
    },
  );
});
