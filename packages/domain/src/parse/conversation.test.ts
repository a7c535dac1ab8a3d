import { failureOf } from '../testing/failure.ts';
import { conversationId, wire } from '../testing/samples.ts';
import { parseConversation } from './conversation.ts';

const failure = (body: unknown) => failureOf(() => parseConversation(wire, body));

test('participants are URIs or user ids, each once', () => {
  const participants = ['bob', 'svc:///identities/bob', 'svc:///identities/%C3%A9', '😀', 'é'];
  expect(
    parseConversation(wire, { participants, metadata: null, distinct: null, id: null, other: 1 }),
  ).toEqual({
    participantIds: ['bob', 'é', '😀'],
    distinct: false,
  });
});

test('may be distinct, with metadata and an id of the caller', () => {
  const metadata = { a: { b: 'c' } };
  const id = `svc:///conversations/${conversationId.toUpperCase()}`;
  expect(parseConversation(wire, { participants: [], distinct: true, metadata, id })).toEqual({
    participantIds: [],
    distinct: true,
    metadata,
    id: conversationId,
  });
});

test.each([
  [[], 'invalid_request'],
  [{}, 'missing_property participants'],
  [{ participants: 'bob' }, 'invalid_property participants'],
  [{ participants: ['bob', ''] }, 'invalid_property participants'],
  [{ participants: [{ id: 'bob' }] }, 'invalid_property participants'],
  [{ participants: ['\ud800'] }, 'invalid_property participants'],
  [{ participants: ['a\0'] }, 'invalid_property participants'],
  [{ participants: ['svc:///identities/%zz'] }, 'invalid_property participants'],
  [{ participants: [], distinct: 'true' }, 'invalid_property distinct'],
  [{ participants: [], type: '' }, 'invalid_property type'],
  [{ participants: [], type: 'a\0' }, 'invalid_property type'],
  [{ participants: [], type: 'Room' }, 'invalid_property type'],
  [{ participants: [], type: 1 }, 'invalid_property type'],
  [{ participants: [], id: 'x' }, 'invalid_request_id id'],
  [{ participants: [], metadata: 'x' }, 'invalid_property metadata'],
  [{ participants: [], metadata: [] }, 'invalid_property metadata'],
  [{ participants: [], metadata: { a: 1 } }, 'invalid_property metadata'],
  [{ participants: [], metadata: { a: null } }, 'invalid_property metadata'],
  [{ participants: [], metadata: { a: 'x'.repeat(2041) } }, 'invalid_property metadata'],
  [{ participants: [], metadata: JSON.parse('{"__proto__": "x"}') }, 'invalid_property metadata'],
])('%j is refused', (body, expected) => {
  expect(failure(body)).toBe(expected);
});

test('metadata of any depth is refused and does not overflow', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(100_000)}{}${'}'.repeat(100_000)}`) as unknown;
  expect(failure({ participants: [], metadata: deep })).toBe('invalid_property metadata');
});
