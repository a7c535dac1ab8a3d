import { create, fromBinary } from '@bufbuild/protobuf';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { PartSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import { encodeEvents } from './encode.ts';
import { failureOf } from '../testing/failure.ts';
import { sampleMessage } from '../testing/samples.ts';

const eventOf = (bytes: number) => {
  const message = { ...sampleMessage(), parts: [create(PartSchema, { body: 'x'.repeat(bytes) })] };
  return create(EventSchema, { body: { case: 'messageCreated', value: { message } } });
};

test('events are encoded in their order, a large one in a message of its own', () => {
  const events = [eventOf(10), eventOf(1_500_000), eventOf(20)];
  const decoded = encodeEvents(events).map((payload) => fromBinary(EventBatchSchema, payload).events);
  expect(decoded.flat()).toEqual(events);
  expect(decoded).toHaveLength(3);
});

test('an event that no message of the broker can hold is refused', () => {
  expect(failureOf(() => encodeEvents([eventOf(7_340_032)]))).toMatch(/^request_entity_too_large/);
});
