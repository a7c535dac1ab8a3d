import { create } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { createConversationStreams } from '../streams.ts';
import { createLookBacks, SHORT } from './look-back.ts';

let now: number;
const lookBacks = () => createLookBacks(() => now);

beforeEach(() => (now = 100_000));

test('is short while the broker answers', () => {
  const { current, confirmedAt } = lookBacks();
  now += 60_000;
  confirmedAt(now - 2_000);
  expect(current()).toEqual(SHORT);
});

test('reaches to before the last answer of a broker that is silent, before anybody has noticed', () => {
  const { current, confirmedAt } = lookBacks();
  confirmedAt(now);
  now += 7_000;
  expect(current()).toEqual({ changes: 500, ms: 22_000 });
});

test('reaches to before the longest of the gaps that are being read from the logs', () => {
  const { current, confirmedAt, missedFrom } = lookBacks();
  for (const moment of [now - 7_000, now - 1_000]) {
    missedFrom(moment);
    confirmedAt(now);
  }
  now += 20_000;
  confirmedAt(now);
  expect(current()).toEqual({ changes: 500, ms: 42_000 });
  now += 10_000;
  confirmedAt(now);
  expect(current()).toEqual(SHORT);
});

test('the first live event of a conversation after a gap comes behind those that the gap took', async () => {
  const { current, confirmedAt } = lookBacks();
  confirmedAt(now);
  const eventOf = (seq: number) =>
    create(EventSchema, {
      ...{ appId: 'a', conversationId: 'c', seq, createdAt: now - (40 - seq) * 300 },
      body: { case: 'messageCreated', value: {} },
    });
  now += 12_000;
  const delivered: number[] = [];
  const streams = createConversationStreams({
    deliver: ({ seq }) => void delivered.push(seq),
    fetch: (_app, _conversation, first, last) =>
      Promise.resolve(Array.from({ length: last - first + 1 }, (_, index) => eventOf(first + index))),
    isFollowed: () => true,
    lookBack: current,
    now: () => now,
    failed: (error) => {
      throw error;
    },
  });
  streams.event(eventOf(40));
  await new Promise((resolve) => setImmediate(resolve));
  expect(delivered).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
});
