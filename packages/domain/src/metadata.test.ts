import { fromBinary, toBinary, create, type JsonObject } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { limits } from '@parley/contract/limits';
import {
  isMessageMetadata,
  isMetadata,
  isMetadataWithinLimit,
  metadataEquals,
  metadataSize,
} from './metadata.ts';
import { sampleEvent } from './testing/samples.ts';

const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0') && one !== '__proto__');
const metadata = fc.letrec<{ leaf: string; node: JsonObject }>((tie) => ({
  leaf: text,
  node: fc.dictionary(text, fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('node')), { noNullPrototype: true }),
})).node;

function nest(levels: number): JsonObject {
  return levels === 1 ? {} : { a: nest(levels - 1) };
}

test('is nested objects with strings as leaves', () => {
  fc.assert(fc.property(metadata, (value) => isMetadata(value)));
});

test.each([
  ['a number', { a: 1 }],
  ['a flag', { a: { b: true } }],
  ['null', { a: null }],
  ['an array', { a: ['b'] }],
  ['an array at the top', []],
  ['half a surrogate pair', { a: '\ud800' }],
  ['half a surrogate pair in a key', { '\udc00': 'a' }],
  ['a NUL character', { a: 'b\0' }],
  ['a NUL character in a key', { 'a\0': 'b' }],
  ['the key __proto__', JSON.parse('{"a": {"__proto__": {"b": "c"}}}')],
  ['more levels than a message holds', nest(limits.metadataDepth + 1)],
])('does not hold %s', (_, value) => {
  expect(isMetadata(value)).toBe(false);
});

test.each([
  [true, '9007199254740991'],
  [true, '-9007199254740991'],
  [true, '0.1'],
  [true, '1e-300'],
  [false, '9007199254740993'],
  [false, '-9007199254740992'],
  [false, '1e300'],
  [false, '1e999'],
])('of a message holds numbers that a double gives back: %s for %s', (expected, number) => {
  const value: unknown = JSON.parse(`{"a": {"b": ${number}}}`);
  expect(isMessageMetadata(value)).toBe(expected);
});

test('at its deepest it still fits a message of the RPC protocol', () => {
  const metadata = nest(limits.metadataDepth);
  expect(isMetadata(metadata)).toBe(true);
  const event = sampleEvent({ case: 'conversationUpdated', value: { conversation: { metadata } } });
  const bytes = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
  expect(fromBinary(EventBatchSchema, bytes).events[0]).toEqual(event);
});

test('its size is that of its JSON in bytes', () => {
  expect(metadataSize({ a: 'é' })).toBe(10);
  expect(isMetadataWithinLimit({ a: 'x'.repeat(2048 - 8) })).toBe(true);
  expect(isMetadataWithinLimit({ a: 'x'.repeat(2048 - 7) })).toBe(false);
});

test('the order of keys makes no difference, everything else does', () => {
  expect(metadataEquals({ a: '1', b: { c: '2' } }, { b: { c: '2' }, a: '1' })).toBe(true);
  expect(metadataEquals(undefined, {})).toBe(true);
  const others: (JsonObject | undefined)[] = [
    undefined,
    {},
    { a: '2' },
    { a: {} },
    { a: '1', b: '2' },
    { b: '1' },
    { toString: '1' },
  ];
  for (const other of others) {
    expect(metadataEquals({ a: '1' }, other)).toBe(false);
    expect(metadataEquals(other, { a: '1' })).toBe(false);
  }
});
