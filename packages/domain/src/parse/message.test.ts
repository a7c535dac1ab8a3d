import { failureOf } from '../testing/failure.ts';
import { conversationId, messageId, partId, rules } from '../testing/samples.ts';
import { parseMessage, parseServerMessage } from './message.ts';
import { parsePartsBody } from './parts.ts';

const part = { mime_type: 'text/plain', body: 'hello' };
const draft = { parts: [part] };
const fromServer = { ...draft, sender_id: 'svc:///identities/joe%40x' };
const client = (body: unknown) => failureOf(() => parseMessage(rules, body));
const server = (extra: object) => failureOf(() => parseServerMessage(rules, { ...fromServer, ...extra }));

test('a client gives parts, and may give an id and a notification', () => {
  const notification = { title: 'T', text: 'x', sound: null, unknown: 1 };
  const message = parseMessage(rules, {
    ...draft,
    id: `svc:///messages/${messageId}`,
    notification,
    sender_id: 5,
  });
  expect(message).toMatchObject({
    id: messageId,
    parts: [{ body: 'hello' }],
    notification: { title: 'T', text: 'x' },
  });
  expect(message).not.toHaveProperty('senderId');
  expect(Object.keys(parseMessage(rules, { ...draft, id: null, notification: null }))).toEqual(['parts']);
});

test.each([[], 'text', null, undefined, 5])('a body like %j is an invalid_request', (body) => {
  expect(client(body)).toBe('invalid_request');
});

test.each(['', 'x', 5, {}, `svc:///conversations/${conversationId}`])('%j is no id', (id) => {
  expect(client({ ...draft, id })).toBe('invalid_request_id id');
});

test.each([
  [{}, 'missing_property parts'],
  [{ parts: null }, 'missing_property parts'],
  [{ parts: [] }, 'invalid_property parts'],
  [{ parts: {} }, 'invalid_property parts'],
  [{ parts: 'x' }, 'invalid_property parts'],
  [{ parts: new Array(1001).fill(part) }, 'invalid_property parts'],
  [{ parts: [part, 5] }, 'invalid_property parts.1'],
  [{ parts: [part, { ...part, body: 1 }] }, 'invalid_property parts.1.body'],
  [
    { parts: [{ ...part, id: partId }, part, { ...part, id: partId.toUpperCase() }] },
    'invalid_property parts.2.id',
  ],
  [{ ...draft, notification: 'x' }, 'invalid_property notification'],
  [{ ...draft, notification: { badge: 1 } }, 'invalid_property notification.badge'],
  [{ ...draft, notification: { badge: '+1', title: 5 } }, 'invalid_property notification.badge'],
  [{ ...draft, notification: { title: 5 } }, 'invalid_property notification.title'],
  [{ ...draft, notification: { text: '\ud800' } }, 'invalid_property notification.text'],
  [{ ...draft, notification: { sound: 'x'.repeat(2049) } }, 'invalid_property notification.sound'],
])('%j is refused', (body, expected) => {
  expect(client(body)).toBe(expected);
});

test('a message has up to 1000 parts', () => {
  expect(parseMessage(rules, { parts: new Array(1000).fill(part) }).parts).toHaveLength(1000);
});

test('a server names the sender, by URI or user id', () => {
  expect(parseServerMessage(rules, fromServer)).toMatchObject({ senderId: 'joe@x', low: false });
  expect(
    parseServerMessage(rules, { ...fromServer, sender_id: 'joe@x', sender: { id: 'x', name: null } })
      .senderId,
  ).toBe('joe@x');
});

test.each([
  [{ sender_id: undefined }, 'missing_property sender_id'],
  [{ sender_id: '' }, 'invalid_property sender_id'],
  [{ sender_id: 5 }, 'invalid_property sender_id'],
  [{ sender_id: 'svc:///identities/%' }, 'invalid_property sender_id'],
  [{ sender_id: 'a\ud800' }, 'invalid_property sender_id'],
  [{ sender: { name: 'Bot' } }, 'invalid_property sender'],
  [{ sender: { user_id: 'joe' }, sender_id: undefined }, 'invalid_property sender'],
  [{ sender: { user_id: 'joe', name: 'Joe' } }, 'invalid_property sender'],
])('a server that gives %j is refused', (extra, expected) => {
  expect(server(extra)).toBe(expected);
});

const manyUsers = Array.from({ length: 1001 }, (_, index) => `user-${index}`);

test('significance is normal or low, for all and for some', () => {
  const significance = { default: 'low', recipients: { 'svc:///identities/joe.doe': 'normal', bob: 'low' } };
  const message = parseServerMessage(rules, { ...fromServer, significance });
  expect(message.low).toBe(true);
  expect([...(message.significance?.lowByUserId ?? [])]).toEqual([
    ['joe.doe', false],
    ['bob', true],
  ]);
  expect(parseServerMessage(rules, { ...fromServer, significance: {} }).low).toBe(false);
});

test.each([
  ['high', 'significance'],
  [{ default: 'high' }, 'significance.default'],
  [{ default: 1 }, 'significance.default'],
  [{ recipients: [] }, 'significance.recipients'],
  [{ recipients: { bob: 'high' } }, 'significance.recipients'],
  [{ recipients: { '': 'low' } }, 'significance.recipients'],
  [{ recipients: Object.fromEntries(manyUsers.map((id) => [id, 'low'])) }, 'significance.recipients'],
])('a significance of %j is refused', (significance, property) => {
  expect(server({ significance })).toBe(`invalid_property ${property}`);
});

test.each([
  [{ delay_in_seconds: 1 }, { delayMs: 1000 }],
  [
    { delay_in_seconds: 300, typing_indicator_in_seconds: 300 },
    { delayMs: 300_000, typingMs: 300_000 },
  ],
  [
    { delay_in_seconds: 7.5, typing_indicator_in_seconds: 3.3 },
    { delayMs: 7500, typingMs: 3300 },
  ],
])('a schedule of %j is taken', (schedule, expected) => {
  expect(parseServerMessage(rules, { ...fromServer, schedule }).schedule).toEqual(expected);
});

test.each([
  [5, 'invalid_property schedule'],
  [{}, 'missing_property schedule.delay_in_seconds'],
  [{ delay_in_seconds: 0.99 }, 'invalid_property schedule.delay_in_seconds'],
  [{ delay_in_seconds: 300.01 }, 'invalid_property schedule.delay_in_seconds'],
  [{ delay_in_seconds: '5' }, 'invalid_property schedule.delay_in_seconds'],
  [{ delay_in_seconds: NaN }, 'invalid_property schedule.delay_in_seconds'],
  [
    { delay_in_seconds: 5, typing_indicator_in_seconds: 0.5 },
    'invalid_property schedule.typing_indicator_in_seconds',
  ],
  [
    { delay_in_seconds: 5, typing_indicator_in_seconds: 5.1 },
    'invalid_property schedule.typing_indicator_in_seconds',
  ],
])('a schedule of %j is refused', (schedule, expected) => {
  expect(server({ schedule })).toBe(expected);
});

test('all parts by themselves are an array with plain paths', () => {
  expect(parsePartsBody(rules, [part, part])).toHaveLength(2);
  expect(failureOf(() => parsePartsBody(rules, [part, {}]))).toBe('missing_property 1.mime_type');
  expect(failureOf(() => parsePartsBody(rules, []))).toBe('invalid_property parts');
  expect(failureOf(() => parsePartsBody(rules, { parts: [part] }))).toBe('invalid_request');
});
