import { failureOf } from '../testing/failure.ts';
import { messageId, rules } from '../testing/samples.ts';
import { parseMessageBatch } from './message-batch.ts';

const item = { sender_id: 'bot', parts: [{ mime_type: 'text/plain', body: 'hello' }] };
const failure = (...items: unknown[]) => failureOf(() => parseMessageBatch(rules, items));

test('up to 12 messages', () => {
  expect(parseMessageBatch(rules, new Array(12).fill(item))).toHaveLength(12);
  expect(failure(...new Array<unknown>(13).fill(item))).toBe('invalid_property 12');
  expect(failure()).toBe('invalid_property 0');
  expect(failureOf(() => parseMessageBatch(rules, item))).toBe('invalid_request');
});

test.each([
  ['no object', 5, 'invalid_property 1'],
  ['no sender', { ...item, sender_id: null }, 'missing_property 1.sender_id'],
  ['another sender', { ...item, sender: { name: 'x' } }, 'invalid_property 1.sender'],
  ['no parts', { sender_id: 'bot' }, 'missing_property 1.parts'],
  ['a bad part', { ...item, parts: [{ mime_type: 'a/b' }] }, 'invalid_property 1.parts.0.body'],
  ['a badge', { ...item, notification: { badge: 1 } }, 'invalid_property 1.notification.badge'],
  [
    'a bad significance',
    { ...item, significance: { default: 'x' } },
    'invalid_property 1.significance.default',
  ],
  ['a schedule', { ...item, schedule: { delay_in_seconds: 5 } }, 'invalid_property 1.schedule'],
  ['a bad id', { ...item, id: 'x' }, 'invalid_property 1.id'],
])('an item of %s fails the batch', (_, bad, expected) => {
  expect(failure(item, bad, item)).toBe(expected);
});

test('no two have one id', () => {
  const same = { ...item, id: messageId };
  expect(failure(same, item, { ...item, id: `svc:///messages/${messageId}` })).toBe('invalid_property 2.id');
});
