import * as library from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { MessageBodySchema, PartSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import { SendMessagesRequestSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { bytesOf, encoded } from '../test/bytes.ts';
import { initsOf } from '../test/messages.ts';
import { fromBinary, toBinary } from './codec.ts';

function attempt<T>(work: () => T): T | 'refused' {
  try {
    return work();
  } catch {
    return 'refused';
  }
}

test('keeps a field of another wire type than its own as an unknown one', () => {
  const bytes = bytesOf((writer) => writer.tag(1, WireType.Varint).uint32(7));
  const part = fromBinary(PartSchema, bytes);
  expect(part).toMatchObject({ id: '', $unknown: [{ no: 1, wireType: WireType.Varint }] });
  expect(toBinary(PartSchema, part)).toEqual(bytes);
});

test.each([
  ['a tag of more than 32 bits', [0x8a, 0x80, 0x80, 0x80, 0x10, 1, 0x41]],
  ['a tag of more than five bytes', [0x8a, 0x80, 0x80, 0x80, 0x80, 0, 1, 0x41]],
  ['the field number 0', [0x02, 1, 0x41]],
  ['a wire type that does not exist', [0x0f, 1]],
  ['text that is not UTF-8', [0x0a, 2, 0xc3, 0x28]],
  ['a varint of more than ten bytes', [0x0a, ...Array.from({ length: 11 }, () => 0x80), 1]],
])('refuses %s, as the library does', (_, bytes) => {
  const data = Uint8Array.from(bytes);
  expect(() => library.fromBinary(PartSchema, data)).toThrow();
  expect(() => fromBinary(PartSchema, data)).toThrow();
});

test('refuses a field that ends behind its message', () => {
  const bytes = Uint8Array.of(0x0a, 3, 0x0a, 3, 0x41, 0x42, 0x43);
  expect(() => fromBinary(MessageBodySchema, bytes)).toThrow('a field ends behind its message');
});

test('of a message that ends early it reads whole fields, and refuses the rest', () => {
  fc.assert(
    fc.property(initsOf(SendMessagesRequestSchema), fc.nat(), (init, cut) => {
      const whole = encoded(SendMessagesRequestSchema, init as never);
      const part = whole.subarray(0, cut % (whole.length + 1));
      const expected = attempt(() => library.fromBinary(SendMessagesRequestSchema, part));
      expect(attempt(() => fromBinary(SendMessagesRequestSchema, part))).toStrictEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('whatever the bytes are, it gives a message that it can encode again, or refuses', () => {
  const bytes = encoded(EventBatchSchema, { events: [{ id: 'x', body: { case: 'messageCreated', value: { hiddenFrom: ['a'] } } }] } as never); // prettier-ignore
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: bytes.length }), (noise, at) => {
      const changed = Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at + noise.length)]);
      for (const some of [noise, Uint8Array.from(changed)]) {
        const found = attempt(() => fromBinary(EventBatchSchema, some));
        if (found === 'refused') continue;
        const again = toBinary(EventBatchSchema, found);
        expect(fromBinary(EventBatchSchema, again)).toStrictEqual(found);
      }
    }),
    { numRuns: 2000 },
  );
});
