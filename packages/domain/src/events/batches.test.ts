import { toBinary, create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { splitBatches } from './batches.ts';
import { sampleEvent, sampleMessage, samplePart } from '../testing/samples.ts';

const eventOf = (body: string) =>
  sampleEvent({
    case: 'messageCreated',
    value: { message: sampleMessage({ parts: [samplePart({ body })] }) },
  });
const event = fc.string({ unit: 'binary', maxLength: 2000 }).map((body) => eventOf(body.toWellFormed()));

test('keeps every event in its place, and each batch below the size', () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 20 }),
      fc.integer({ min: 1, max: 20_000 }),
      (events, maxBytes) => {
        const batches = splitBatches(events, maxBytes);
        expect(batches.flat()).toEqual(events);
        for (const batch of batches) {
          const bytes = toBinary(EventBatchSchema, create(EventBatchSchema, { events: batch })).length;
          expect(batch.length === 1 || bytes <= maxBytes).toBe(true);
        }
      },
    ),
  );
});

test('nothing makes no batch, and what is small makes one', () => {
  expect(splitBatches([])).toEqual([]);
  expect(splitBatches([eventOf('a'), eventOf('b')])).toHaveLength(1);
});
