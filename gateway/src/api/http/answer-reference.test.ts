import { answerOf, referenceOf } from './answer-reference.ts';

const baseUrl = 'https://chat.example/base';
const known = { baseUrl, isRead: (path: string) => path.startsWith('/messages/') };
const message = { id: 'svc:///messages/1', url: `${baseUrl}/messages/1`, body: 'x'.repeat(2_000) };
const error = { id: 'id_in_use', code: 111, message: 'In use.', url: 'https://errors', data: message };

test('a large answer that shows an object is rendered again from where the caller reads it', () => {
  const headers = { location: message.url };
  const reference = referenceOf({ status: 201, headers, body: message }, known)!;
  expect(JSON.stringify(reference).length).toBeLessThan(300);
  expect(reference).toMatchObject({ status: 201, headers, path: '/messages/1' });
  const now = { ...message, body: 'changed' };
  expect(answerOf(reference, { status: 200, body: now })).toEqual({ status: 201, headers, body: now });
  for (const status of [403, 404, 410]) expect(answerOf(reference, { status })).toBeUndefined();
});

test('one whose body is text already is the same', () => {
  const body = referenceOf({ status: 201, body: message }, known);
  expect(referenceOf({ status: 201, json: JSON.stringify(message) }, known)).toEqual(body);
});

test('a refusal keeps its error, and shows the object as it is now, or null', () => {
  const reference = referenceOf({ status: 409, body: error }, known)!;
  expect(answerOf(reference, { status: 200, body: { now: true } })).toMatchObject({
    status: 409,
    body: { ...error, data: { now: true } },
  });
  expect(answerOf(reference, { status: 404 })).toMatchObject({ status: 409, body: { ...error, data: null } });
});

test('an object that the caller cannot read has no path: the request is run again', () => {
  const url = `${baseUrl}/announcements/1`;
  expect(referenceOf({ status: 202, body: { ...message, url } }, known)).not.toHaveProperty('path');
  const elsewhere = { ...message, url: 'https://other.example/messages/1' };
  expect(referenceOf({ status: 202, body: elsewhere }, known)).not.toHaveProperty('path');
});

test.each([
  ['a small answer', { status: 201, body: { ...message, body: '' } }],
  ['no body', { status: 204 }],
  ['a list', { status: 200, body: [message, message] }],
  ['an object without an address', { status: 201, body: { ...message, url: undefined } }],
  ['a refusal without an object', { status: 422, body: { ...error, data: { property: 'x'.repeat(2_000) } } }],
])('%s has no reference', (_, answer) => {
  expect(referenceOf(answer, known)).toBeUndefined();
});
