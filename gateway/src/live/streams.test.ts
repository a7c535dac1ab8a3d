import { create } from '@bufbuild/protobuf';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { tooLarge } from '@parley/kit/byte-budget';
import { createStreams } from './streams.ts';

test('an event that cannot be delivered is reported, and does not end the process', async () => {
  const failures: unknown[] = [];
  let finish: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (finish = resolve));
  const reported = new Promise<void>((resolve) => {
    const streams = createStreams({
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

test('changes that are refused as too large are fetched by halves, each once and in order', async () => {
  const eventOf = (seq: number): Event =>
    create(EventSchema, {
      ...{ appId: 'a', conversationId: 'c', seq },
      body: { case: 'conversationHidden', value: {} },
    });
  const delivered: number[] = [];
  const asked: number[][] = [];
  await new Promise<void>((resolve) => {
    const streams = createStreams({
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

test('one change that nobody can have does not keep back those after it', async () => {
  const failures: unknown[] = [];
  const eventOf = (seq: number): Event =>
    create(EventSchema, {
      ...{ appId: 'a', conversationId: 'c', seq },
      body: { case: 'conversationHidden', value: {} },
    });
  const delivered = await new Promise<number[]>((resolve) => {
    const seen: number[] = [];
    const streams = createStreams({
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
