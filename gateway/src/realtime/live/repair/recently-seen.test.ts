import { create } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { createRecentlySeen } from './recently-seen.ts';

const event = (id: string, ...onlyUserIds: string[]) => create(EventSchema, { id, onlyUserIds });

test('each part of an event is recently seen once it has arrived', () => {
  const seen = createRecentlySeen(() => 0);
  expect(seen.has(event('a', 'ann', 'bob'))).toBe(false);
  seen.add(event('a', 'ann', 'bob'));
  expect(seen.has(event('a', 'ann', 'bob'))).toBe(true);
  expect(seen.has(event('a', 'cem'))).toBe(false);
  expect(seen.has(event('b', 'ann'))).toBe(false);
});

test('an event is remembered for ten seconds, and not for ever', () => {
  let now = 0;
  const seen = createRecentlySeen(() => now);
  now = 9_999;
  seen.add(event('a', 'ann'));
  now = 19_998;
  seen.add(event('b', 'ann'));
  expect(seen.has(event('a', 'ann'))).toBe(true);
  now = 30_000;
  seen.add(event('c', 'ann'));
  expect(seen.has(event('a', 'ann'))).toBe(false);
});
