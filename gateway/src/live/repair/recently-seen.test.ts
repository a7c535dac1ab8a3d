import { create } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { createHeard } from './recently-seen.ts';

const event = (id: string, ...onlyUserIds: string[]) => create(EventSchema, { id, onlyUserIds });

test('an event is known once it came, each piece of its audience by itself', () => {
  const heard = createHeard(() => 0);
  expect(heard.has(event('a', 'ann', 'bob'))).toBe(false);
  heard.add(event('a', 'ann', 'bob'));
  expect(heard.has(event('a', 'ann', 'bob'))).toBe(true);
  expect(heard.has(event('a', 'cem'))).toBe(false);
  expect(heard.has(event('b', 'ann'))).toBe(false);
});

test('an event is remembered for ten seconds, and not for good', () => {
  let now = 0;
  const heard = createHeard(() => now);
  now = 9_999;
  heard.add(event('a', 'ann'));
  now = 19_998;
  heard.add(event('b', 'ann'));
  expect(heard.has(event('a', 'ann'))).toBe(true);
  now = 30_000;
  heard.add(event('c', 'ann'));
  expect(heard.has(event('a', 'ann'))).toBe(false);
});
