import { create } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { createMissedRanges } from './missed-ranges.ts';

test('a range reaches from the first to the last missed change of a conversation, in any order', () => {
  const ranges = createMissedRanges();
  for (const [appId, conversationId, seq] of [
    ['app', 'one', 10],
    ['app', 'two', 3],
    ['app', 'one', 7],
    ['app', 'one', 8],
    ['other', 'one', 1],
  ] as const)
    ranges.note(create(EventSchema, { appId, conversationId, seq }));
  expect(ranges.list()).toMatchObject([
    { appId: 'app', head: { conversationId: 'one', firstSeq: 7, seq: 10 } },
    { appId: 'app', head: { conversationId: 'two', firstSeq: 3, seq: 3 } },
    { appId: 'other', head: { conversationId: 'one', firstSeq: 1, seq: 1 } },
  ]);
});
