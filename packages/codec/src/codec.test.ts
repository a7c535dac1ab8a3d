import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as library from '@bufbuild/protobuf';
import type { DescMessage } from '@bufbuild/protobuf';
import { WireType, type BinaryWriter } from '@bufbuild/protobuf/wire';
import fc, { type Arbitrary } from 'fast-check';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { ArchiveSchema } from '@parley/proto/parley/export/v1/export_pb';
import { ConversationSchema } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { MessageBodySchema, PartSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import { bytesOf, encoded } from '../test/bytes.ts';
import { initsOf, initsOfCases } from '../test/messages.ts';
import { protocolSchemas } from '../test/schemas.ts';
import { create, fromBinary, isCompiled, toBinary } from './codec.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const schemas = await protocolSchemas();
const RUNS = { numRuns: 30 };

function eachType(check: (schema: DescMessage, init: never, other: never) => void): void {
  for (const schema of schemas) {
    const inits = initsOf(schema);
    fc.assert(
      fc.property(inits, inits, (init, other) => check(schema, init as never, other as never)),
      RUNS,
    );
  }
}

function checkLikeLibrary(schema: DescMessage, init: never): void {
  const message = create(schema, init);
  const expected = library.create(schema, init);
  expect(message).toStrictEqual(expected);
  const bytes = toBinary(schema, message);
  expect(Buffer.from(bytes).equals(library.toBinary(schema, expected))).toBe(true);
  expect(fromBinary(schema, bytes)).toStrictEqual(library.fromBinary(schema, bytes));
}

function checkDecoding(schema: DescMessage, bytes: Uint8Array): void {
  expect(fromBinary(schema, bytes)).toStrictEqual(library.fromBinary(schema, bytes));
}

test('has functions for all types of the protocol but those with lists of plain JSON', () => {
  expect(schemas.length).toBeGreaterThan(300);
  expect(schemas.filter((schema) => !isCompiled(schema)).map(({ typeName }) => typeName)).toEqual([
    'parley.messaging.v1.ImportConversationsRequest',
    'parley.messaging.v1.ImportMessagesRequest',
  ]);
});

test('creates, encodes and decodes every type as the library does', () => {
  eachType(checkLikeLibrary);
});

test('does so with every case of every oneof', () => {
  for (const schema of schemas)
    for (const inits of initsOfCases(schema))
      fc.assert(
        fc.property(inits as Arbitrary<never>, (init) => checkLikeLibrary(schema, init)),
        { numRuns: 3 },
      );
});

test('creates an empty message, and keeps one that is a message already', () => {
  for (const schema of schemas) {
    expect(create(schema)).toStrictEqual(library.create(schema));
    expect(create(schema, null as never)).toStrictEqual(library.create(schema, null as never));
  }
  const part = create(PartSchema, { id: 'a' });
  expect(create(PartSchema, part)).toBe(part);
  expect(create(MessageBodySchema, { parts: [part] }).parts[0]).toBe(part);
});

test('keeps fields that the type lacks', () => {
  const more = bytesOf((writer) => {
    writer.tag(900, WireType.LengthDelimited).string('new').tag(901, WireType.Varint).uint32(300);
    writer.tag(902, WireType.Bit64).double(1).tag(903, WireType.Bit32).fixed32(7);
    return writer.tag(904, WireType.StartGroup).tag(1, WireType.Varint).uint32(1).tag(904, WireType.EndGroup);
  });
  eachType((schema, init) => {
    const bytes = Buffer.concat([encoded(schema, init), more]);
    const message = fromBinary(schema, bytes);
    expect(message.$unknown).toHaveLength(5);
    checkDecoding(schema, bytes);
    expect(Buffer.from(toBinary(schema, message)).equals(bytes)).toBe(true);
  });
  const nested = bytesOf((writer) => writer.tag(1, WireType.LengthDelimited).bytes(more));
  checkDecoding(MessageBodySchema, nested);
  expect(Buffer.from(toBinary(MessageBodySchema, fromBinary(MessageBodySchema, nested)))).toEqual(
    Buffer.from(nested),
  );
});

test('joins what comes in several pieces', () => {
  eachType((schema, init, other) => {
    const [one, two] = [encoded(schema, init), encoded(schema, other)];
    checkDecoding(schema, Buffer.concat([one, two, one]));
  });
});

test('reads lists of numbers that are written with a tag each', () => {
  const lists = schemas.flatMap((schema) =>
    schema.fields.flatMap((field) => (field.fieldKind === 'list' && field.packed ? [{ schema, field }] : [])),
  );
  expect(lists).not.toHaveLength(0);
  for (const { schema, field } of lists) {
    const isDouble = field.scalar === library.ScalarType.DOUBLE;
    const one = (writer: BinaryWriter, value: number): BinaryWriter =>
      isDouble
        ? writer.tag(field.number, WireType.Bit64).double(value)
        : writer.tag(field.number, WireType.Varint).int32(value);
    const bytes = bytesOf((writer) => one(one(writer, 5), 6));
    checkDecoding(schema, bytes);
    expect((fromBinary(schema, bytes) as never as Record<string, unknown>)[field.localName]).toEqual([5, 6]);
  }
});

test('reads entries of maps in any order, without key or value, with more fields, and with the key __proto__', () => {
  const maps = schemas.flatMap((schema) =>
    schema.fields.flatMap((field) => (field.fieldKind === 'map' ? [{ schema, field }] : [])),
  );
  expect(maps).not.toHaveLength(0);
  const entries = [
    bytesOf((w) =>
      w.tag(2, WireType.LengthDelimited).string('v').tag(1, WireType.LengthDelimited).string('k'),
    ),
    bytesOf((w) => w.tag(1, WireType.LengthDelimited).string('only')),
    bytesOf((w) => w.tag(2, WireType.LengthDelimited).string('no key')),
    bytesOf((w) => w.tag(1, WireType.LengthDelimited).string('x').tag(9, WireType.Varint).uint32(1)),
    bytesOf((w) => w.tag(1, WireType.LengthDelimited).string('__proto__')),
  ];
  for (const { schema, field } of maps)
    checkDecoding(
      schema,
      bytesOf((writer) => {
        for (const entry of entries) writer.tag(field.number, WireType.LengthDelimited).bytes(entry);
        return writer;
      }),
    );
});

const implicitFields = schemas.flatMap((schema) =>
  schema.fields.flatMap((field) =>
    field.fieldKind === 'scalar' && !field.oneof && field.presence === 2 ? [{ schema, field }] : [],
  ),
);
test.each([
  [library.ScalarType.INT32, 2 ** 31],
  [library.ScalarType.INT32, 0.5],
  [library.ScalarType.UINT32, -1],
  [library.ScalarType.UINT32, 2 ** 32],
  [library.ScalarType.STRING, 5],
  [library.ScalarType.STRING, undefined],
  [library.ScalarType.BYTES, [1, 2]],
  [library.ScalarType.BYTES, 'text'],
  [library.ScalarType.BYTES, new Uint16Array(3)],
])('a field of type %i refuses %p, and the next message is encoded as before', (type, value) => {
  const found = implicitFields.find(({ field }) => field.scalar === type);
  if (!found) throw new Error('no such field');
  const { schema, field } = found;
  const part = create(PartSchema, { id: 'secret' });
  const expected = toBinary(PartSchema, part);
  const message = { ...create(schema), [field.localName]: value };
  expect(() => toBinary(schema, message as never)).toThrow(`cannot encode ${schema.typeName}`);
  expect(toBinary(PartSchema, part)).toEqual(expected);
});

test('refuses a message of another type', () => {
  expect(() => toBinary(PartSchema, create(EventBatchSchema) as never)).toThrow('parley.event.v1.EventBatch');
});

test('encodes a message while another is being encoded', () => {
  const part = create(PartSchema, { id: 'outer', mimeType: 'text/plain' });
  const body = create(MessageBodySchema, { parts: [part] });
  const expected = toBinary(MessageBodySchema, body);
  Object.defineProperty(part, 'mimeType', {
    get() {
      toBinary(PartSchema, create(PartSchema, { id: 'inner' }));
      return 'text/plain';
    },
  });
  expect(toBinary(MessageBodySchema, body)).toEqual(expected);
});

test('keeps no large buffer after a large message', async () => {
  const small = create(PartSchema, { id: 'é' });
  toBinary(PartSchema, small);
  const before = await bytesOfBuffers();
  encodeLarge();
  expect(toBinary(PartSchema, small)).toHaveLength(4);
  expect((await bytesOfBuffers()) - before).toBeLessThan(1_000_000);
});

/** V8 frees the buffers that one collection finds during the next one. */
async function bytesOfBuffers(): Promise<number> {
  for (let round = 0; round < 2; round++) {
    await nextTurn();
    collect();
  }
  return process.memoryUsage().arrayBuffers;
}

function encodeLarge(): void {
  const large = create(PartSchema, { id: 'é'.repeat(4_000_000) });
  expect(fromBinary(PartSchema, toBinary(PartSchema, large)).id === large.id).toBe(true);
}

test('joins many pieces of plain JSON', () => {
  const metadata = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key ${index}`, 'x']));
  const whole = encoded(ConversationSchema, { metadata } as never);
  const field = ConversationSchema.field.metadata.number;
  const more = bytesOf((writer) => {
    for (let piece = 0; piece < 200; piece++)
      writer.tag(field, WireType.LengthDelimited).bytes(new Uint8Array());
    return writer;
  });
  checkDecoding(ConversationSchema, Buffer.concat([whole, more]));
});

test('a field of bytes is a view of what was decoded', () => {
  const bytes = toBinary(ArchiveSchema, create(ArchiveSchema, { sha256: Uint8Array.of(1, 2, 3) }));
  const { sha256 } = fromBinary(ArchiveSchema, bytes);
  expect(sha256).toStrictEqual(Uint8Array.of(1, 2, 3));
  bytes[bytes.indexOf(2, 2)] = 9;
  expect(sha256).toStrictEqual(Uint8Array.of(1, 9, 3));
});
