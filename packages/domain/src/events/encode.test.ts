import { create, fromBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { PartSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import { encodeBatches, encodeEvents } from './encode.ts';
import { failureOf } from '../testing/failure.ts';
import { sampleEvent, sampleMessage, samplePart } from '../testing/samples.ts';

const eventOf = (bytes: number) => {
  const message = { ...sampleMessage(), parts: [create(PartSchema, { body: 'x'.repeat(bytes) })] };
  return create(EventSchema, { body: { case: 'messageCreated', value: { message } } });
};

const text = fc.string({ unit: 'binary', maxLength: 2000 }).map((body) => body.toWellFormed());
const event = text.map((body) => {
  const message = sampleMessage({ parts: [samplePart({ body })] });
  return sampleEvent({ case: 'messageCreated', value: { message } });
});

test('keeps every event in its place, and each message with several below the size', () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 20 }),
      fc.integer({ min: 1, max: 20_000 }),
      (events, maxBytes) => {
        const payloads = encodeBatches(events, maxBytes);
        const batches = payloads.map((payload) => fromBinary(EventBatchSchema, payload).events);
        expect(batches.flat()).toEqual(events);
        batches.forEach((batch, index) => {
          expect(batch.length === 1 || payloads[index]!.length <= maxBytes).toBe(true);
        });
      },
    ),
  );
});

test('no events make no message, and small ones share one', () => {
  expect(encodeBatches([])).toEqual([]);
  expect(encodeBatches([eventOf(1), eventOf(2)])).toHaveLength(1);
});

test('events are encoded in their order, a large one in a message of its own', () => {
  const events = [eventOf(10), eventOf(1_500_000), eventOf(20)];
  const decoded = encodeEvents(events).map((payload) => fromBinary(EventBatchSchema, payload).events);
  expect(decoded.flat()).toEqual(events);
  expect(decoded).toHaveLength(3);
});

test('an event that no message of the broker can hold is refused', () => {
  expect(failureOf(() => encodeEvents([eventOf(7_340_032)]))).toMatch(/^request_entity_too_large/);
});
