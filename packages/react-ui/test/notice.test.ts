import type { Message } from '@parley/client';
import { isNotice } from '../src/notice.ts';

const text = { id: 'a', content: null };

function message(fields: object = {}): Message {
  const notice = { metadata: { kind: 'system' }, parts: [text], text: 'Ada joined.' };
  return Object.assign(notice, fields) as unknown as Message;
}

test('a text of the kind system is a notice', () => {
  expect(isNotice(message())).toBe(true);
});

test.each([
  ['without metadata', { metadata: {} }],
  ['of another kind', { metadata: { kind: { system: true } } }],
  ['with a file', { parts: [text, { id: 'b', content: { size: 1 } }] }],
  ['without a text', { text: '' }],
])('a message %s is none', (_, fields) => {
  expect(isNotice(message(fields))).toBe(false);
});
