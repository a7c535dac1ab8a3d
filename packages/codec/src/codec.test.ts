import * as library from '@bufbuild/protobuf';
import type { DescMessage } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { PartSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import { SendMessagesRequestSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { initsOf } from '../test/messages.ts';
import { protocolSchemas } from '../test/schemas.ts';
import { create, fromBinary, isCompiled, toBinary } from './codec.ts';

const schemas = await protocolSchemas();
const eachType = (check: (schema: DescMessage, init: never) => void): void => {
  for (const schema of schemas) {
    const property = fc.property(initsOf(schema), (init) => check(schema, init as never));
    fc.assert(property, { numRuns: 30 });
  }
};
const attempt = <T>(work: () => T): T | 'refused' => {
  try {
    return work();
  } catch {
    return 'refused';
  }
};

test('has functions for all types of the protocol but those with lists of plain JSON', () => {
  expect(schemas.length).toBeGreaterThan(300);
  expect(schemas.filter((schema) => !isCompiled(schema)).map(({ typeName }) => typeName)).toEqual([
    'parley.messaging.v1.ImportConversationsRequest',
    'parley.messaging.v1.ImportMessagesRequest',
  ]);
});

test('creates, encodes and decodes every type as the library does', () => {
  eachType((schema, init) => {
    const message = create(schema, init);
    const expected = library.create(schema, init);
    expect(message).toStrictEqual(expected);
    const bytes = toBinary(schema, message);
    expect(Buffer.from(bytes).equals(library.toBinary(schema, expected))).toBe(true);
    expect(fromBinary(schema, bytes)).toStrictEqual(library.fromBinary(schema, bytes));
  });
});

test('creates an empty message, and keeps one that is a message already', () => {
  for (const schema of schemas) expect(create(schema)).toStrictEqual(library.create(schema));
  const part = create(PartSchema, { id: 'a' });
  expect(create(PartSchema, part)).toBe(part);
});

test('keeps fields that the type lacks', () => {
  const more = new BinaryWriter().tag(900, WireType.LengthDelimited).string('new').tag(901, WireType.Varint).uint32(300).tag(902, WireType.Bit64).double(1).finish(); // prettier-ignore
  eachType((schema, init) => {
    const bytes = Buffer.concat([library.toBinary(schema, library.create(schema, init)), more]);
    const message = fromBinary(schema, bytes);
    expect(message.$unknown).toHaveLength(3);
    expect(message).toStrictEqual(library.fromBinary(schema, bytes));
    expect(Buffer.from(toBinary(schema, message)).equals(bytes)).toBe(true);
  });
});

test('joins what comes in two pieces', () => {
  eachType((schema, init) => {
    const bytes = library.toBinary(schema, library.create(schema, init));
    const twice = Buffer.concat([bytes, bytes]);
    expect(fromBinary(schema, twice)).toStrictEqual(library.fromBinary(schema, twice));
  });
});

test('refuses a message that ends early, if the library does', () => {
  fc.assert(
    fc.property(initsOf(SendMessagesRequestSchema), fc.nat(), (init, cut) => {
      const whole = toBinary(SendMessagesRequestSchema, create(SendMessagesRequestSchema, init));
      const part = whole.subarray(0, cut % (whole.length + 1));
      const expected = attempt(() => library.fromBinary(SendMessagesRequestSchema, part));
      const found = attempt(() => fromBinary(SendMessagesRequestSchema, part));
      if (expected === 'refused') expect(found).toBe('refused');
      else if (found !== 'refused') expect(found).toStrictEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('gives a message or refuses, whatever the bytes are, and encodes the next message as before', () => {
  const event = create(EventBatchSchema, { events: [{ id: 'x' }] });
  const bytes = toBinary(EventBatchSchema, event);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(), (noise, at) => {
      const changed = Uint8Array.from(bytes);
      changed.set(
        noise.subarray(0, bytes.length),
        Math.min(at, bytes.length - Math.min(noise.length, bytes.length)),
      );
      for (const some of [noise, changed]) {
        const found = attempt(() => fromBinary(EventBatchSchema, some));
        if (found !== 'refused') toBinary(EventBatchSchema, found);
      }
      expect(toBinary(EventBatchSchema, event)).toEqual(bytes);
    }),
    { numRuns: 2000 },
  );
});

test('refuses text that is not UTF-8', () => {
  const bytes = Uint8Array.of(10, 2, 0xc3, 0x28);
  expect(() => library.fromBinary(PartSchema, bytes)).toThrow();
  expect(() => fromBinary(PartSchema, bytes)).toThrow();
});

test('refuses a message of another type, and a number that the field cannot hold', () => {
  expect(() => toBinary(PartSchema, create(EventBatchSchema) as never)).toThrow('parley.event.v1.EventBatch');
});

test('encodes a message of some megabytes, and a small one after it', () => {
  const large = create(PartSchema, { id: 'é'.repeat(3_000_000) });
  const small = create(PartSchema, { id: 'é' });
  for (const part of [large, small]) expect(fromBinary(PartSchema, toBinary(PartSchema, part))).toEqual(part);
});
