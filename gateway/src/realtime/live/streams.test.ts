import { create } from '@bufbuild/protobuf';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { tooLarge } from '@parley/kit/rpc/byte-budget';
import { HeadSchema } from '@parley/proto/parley/live/v1/live_pb';
import { createConversationStreams } from './streams.ts';

test('an event that cannot be delivered is reported, and does not end the process', async () => {
  const failures: unknown[] = [];
  let finish: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (finish = resolve));
  const reported = new Promise<void>((resolve) => {
    const streams = createConversationStreams({
      deliver: ({ seq }) => {
        if (seq > 1) throw new Error('cannot be delivered');
        return first;
      },
      fetch: () => Promise.resolve([]),
      isFollowed: () => true,
      now: () => 0,
      failed: (error) => {
        failures.push(error);
        resolve();
      },
    });
    for (const seq of [1, 2]) streams.event(create(EventSchema, { appId: 'a', conversationId: 'c', seq }));
  });
  finish();
  await reported;
  expect(failures).toEqual([new Error('cannot be delivered')]);
});

test('an event is the next one when all before it were delivered and nothing is being delivered', () => {
  const eventOf = (seq: number): Event => create(EventSchema, { appId: 'a', conversationId: 'c', seq });
  const streams = createConversationStreams({
    deliver: ({ seq }) => (seq === 3 ? new Promise(() => undefined) : undefined),
    fetch: () => Promise.resolve([]),
    isFollowed: () => true,
    now: () => 0,
    failed: () => undefined,
  });
  const areNext = (...seqs: number[]) => seqs.map((seq) => streams.isNext(eventOf(seq)));
  expect(areNext(1)).toEqual([false]);
  streams.event(eventOf(1));
  expect(areNext(1, 2, 3)).toEqual([false, true, false]);
  streams.head('a', create(HeadSchema, { conversationId: 'c', firstSeq: 2, seq: 2 }), 0);
  expect(areNext(2)).toEqual([false]);
  streams.event(eventOf(2));
  streams.forgetAll();
  expect(areNext(2, 3)).toEqual([false, false]);
  streams.event(eventOf(1));
  streams.event(eventOf(2));
  streams.event(eventOf(3));
  expect(areNext(3, 4)).toEqual([false, false]);
});

test('nothing is left of a copy that comes while an event is being delivered', async () => {
  const eventOf = (seq: number): Event => create(EventSchema, { appId: 'a', conversationId: 'c', seq });
  const delivered: number[] = [];
  const fetched: number[][] = [];
  let finish: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (finish = resolve));
  const streams = createConversationStreams({
    deliver({ seq }) {
      delivered.push(seq);
      return seq === 1 ? slow : undefined;
    },
    fetch(_app, _conversation, first, last) {
      fetched.push([first, last]);
      return Promise.resolve([]);
    },
    isFollowed: () => true,
    now: () => 0,
    failed: () => undefined,
  });
  streams.event(eventOf(1));
  streams.event(eventOf(1));
  finish();
  await new Promise((resolve) => setImmediate(resolve));
  streams.event(eventOf(9));
  await new Promise((resolve) => setImmediate(resolve));
  // A waiting copy of 1 would split the range.
  expect([delivered, fetched]).toEqual([[1, 9], [[2, 8]]]);
});

test('ranges that are refused as too large are fetched by halves, each once and in order', async () => {
  const eventOf = (seq: number): Event =>
    create(EventSchema, {
      ...{ appId: 'a', conversationId: 'c', seq },
      body: { case: 'conversationHidden', value: {} },
    });
  const delivered: number[] = [];
  const asked: number[][] = [];
  await new Promise<void>((resolve) => {
    const streams = createConversationStreams({
      deliver: ({ seq }) => {
        delivered.push(seq);
        if (seq === 33) resolve();
      },
      fetch: (_app, _conversation, first, last) => {
        asked.push([first, last]);
        if (last - first >= 8) return Promise.reject(tooLarge());
        return Promise.resolve(
          Array.from({ length: last - first + 1 }, (_, index) => eventOf(first + index)),
        );
      },
      isFollowed: () => true,
      now: () => 0,
      failed: () => undefined,
    });
    streams.event(eventOf(1));
    streams.event(eventOf(33));
  });
  expect(delivered).toEqual(Array.from({ length: 33 }, (_, index) => index + 1));
  expect(new Set(asked.map(String)).size).toBe(asked.length);
});

test('a single change that is too large does not hold up later ones', async () => {
  const failures: unknown[] = [];
  const eventOf = (seq: number): Event =>
    create(EventSchema, {
      ...{ appId: 'a', conversationId: 'c', seq },
      body: { case: 'conversationHidden', value: {} },
    });
  const delivered = await new Promise<number[]>((resolve) => {
    const seen: number[] = [];
    const streams = createConversationStreams({
      deliver: ({ seq }) => {
        seen.push(seq);
        if (seq === 5) resolve(seen);
      },
      fetch: (_app, _conversation, first, last) =>
        first <= 3 && last >= 3
          ? Promise.reject(tooLarge())
          : Promise.resolve(Array.from({ length: last - first + 1 }, (_, index) => eventOf(first + index))),
      isFollowed: () => true,
      now: () => 0,
      failed: (error) => failures.push(error),
    });
    streams.event(eventOf(1));
    streams.event(eventOf(5));
  });
  expect(delivered).toEqual([1, 2, 4, 5]);
  expect(failures).toHaveLength(1);
});

describe('a conversation that this gateway begins to follow', () => {
  const body = { case: 'messageDeleted' as const, value: {} };
  const change = (seq: number, createdAt = 100_000) =>
    create(EventSchema, { appId: 'a', conversationId: 'c', seq, createdAt, body });

  function start(log: Event[], now = 100_000) {
    const told: [number, boolean][] = [];
    const streams = createConversationStreams({
      deliver: ({ seq }, { repaired }) => void told.push([seq, repaired]),
      fetch: (_app, _conversation, first, last) =>
        Promise.resolve(log.filter(({ seq }) => seq >= first && seq <= last)),
      isFollowed: () => true,
      now: () => now,
      failed: (error) => {
        throw error;
      },
    });
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const head = (firstSeq: number, seq: number) =>
      streams.head('a', create(HeadSchema, { conversationId: 'c', firstSeq, seq }), 0);
    return { told, streams, head, settled, seqs: () => told.map(([seq]) => seq) };
  }

  test('is delivered again from an earlier change on, when one is found', async () => {
    const { head, settled, seqs } = start([7, 8, 9, 10].map((seq) => change(seq)));
    head(9, 10);
    await settled();
    expect(seqs()).toEqual([9, 10]);
    head(7, 8);
    await settled();
    expect(seqs()).toEqual([9, 10, 7, 8, 9, 10]);
    head(7, 10);
    head(8, 9);
    await settled();
    expect(seqs()).toHaveLength(6);
  });

  test('is delivered from a change that a live event skipped as too old, when that turns out to be missed', async () => {
    const log = [change(4, 70_000), change(5, 75_000), change(6)];
    const { head, streams, settled, seqs } = start(log);
    streams.event(change(6));
    await settled();
    expect(seqs()).toEqual([6]);
    head(4, 5);
    await settled();
    expect(seqs()).toEqual([6, 4, 5, 6]);
  });

  test('comes behind what a process that was killed left untold, though another one told it first', async () => {
    const { streams, settled, seqs } = start([change(2, 89_000), change(3, 90_000), change(4)]);
    streams.event(change(4));
    await settled();
    expect(seqs()).toEqual([2, 3, 4]);
  });

  test("is read back by the log's clock, independent of this gateway's", async () => {
    const { streams, settled, told } = start([change(1, 96_000), change(2)], 104_000);
    streams.event(change(2));
    await settled();
    expect(told).toEqual([
      [1, true],
      [2, false],
    ]);
  });
});
