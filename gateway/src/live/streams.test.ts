import { create } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
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
