import { limits } from '@parley/contract/limits';
import { metadataValue } from '../metadata/patch.ts';
import { failureOf } from '../testing/failure.ts';
import { wire } from '../testing/samples.ts';
import { parsePatch } from './patch.ts';

const steps = (...given: unknown[]) => parsePatch(wire, given).map(({ step }) => step);
const failure = (step: unknown) =>
  failureOf(() => parsePatch(wire, [{ operation: 'delete', property: 'metadata' }, step]));

test('participants are added, removed and set, by URI or user id, in id or value', () => {
  expect(
    steps(
      { operation: 'add', property: 'participants', id: 'svc:///identities/a%20b' },
      { operation: 'add', property: 'participants', value: 'bob' },
      { operation: 'remove', property: 'participants', id: 'bob', value: { any: 'thing' } },
      { operation: 'set', property: 'participants', value: ['a', 'b', 'svc:///identities/a'] },
    ),
  ).toMatchObject([
    { case: 'addParticipant', value: 'a b' },
    { case: 'addParticipant', value: 'bob' },
    { case: 'removeParticipant', value: 'bob' },
    { case: 'setParticipants', value: { userIds: ['a', 'b'] } },
  ]);
});

test('metadata is set and deleted by path', () => {
  const [set, remove] = steps(
    { operation: 'set', property: 'metadata.a\\.b.c', value: { d: 'x' } },
    { operation: 'delete', property: 'metadata.a' },
  );
  expect(set).toMatchObject({ case: 'setMetadata', value: { path: ['a.b', 'c'] } });
  expect(set?.case === 'setMetadata' && metadataValue(set.value.value)).toEqual({ d: 'x' });
  expect(remove).toMatchObject({ case: 'deleteMetadata', value: { path: ['a'] } });
  expect(steps()).toEqual([]);
});

test.each([
  [5, 'invalid_property 1'],
  [{ property: 'metadata' }, 'missing_property 1.operation'],
  [{ operation: 'set' }, 'missing_property 1.property'],
  [{ operation: 'set', property: 5 }, 'invalid_property 1.property'],
  [{ operation: 'set', property: 'distinct', value: true }, 'invalid_property 1.property'],
  [{ operation: 'set', property: 'participants.a', value: 'x' }, 'invalid_property 1.property'],
  [{ operation: 'set', property: 'metadatax', value: {} }, 'invalid_property 1.property'],
  [{ operation: 'add', property: 'metadata.a', value: 'x' }, 'invalid_property 1.operation'],
  [{ operation: 'delete', property: 'participants' }, 'invalid_property 1.operation'],
  [{ operation: 'set', property: 'metadata.a' }, 'missing_property 1.value'],
  [{ operation: 'set', property: 'metadata', value: 'x' }, 'invalid_property metadata'],
  [{ operation: 'set', property: 'metadata.a', value: 5 }, 'invalid_property metadata'],
  [{ operation: 'set', property: 'metadata.a', value: 'x\0' }, 'invalid_property metadata'],
  [{ operation: 'set', property: 'metadata.a', value: '\ud800' }, 'invalid_property metadata'],
  [{ operation: 'set', property: 'metadata.a', value: { b: [] } }, 'invalid_property metadata'],
  [{ operation: 'set', property: 'metadata.__proto__.x', value: 'y' }, 'invalid_property metadata'],
  [{ operation: 'set', property: `metadata${'.a'.repeat(24)}`, value: 'y' }, 'invalid_property metadata'],
  [{ operation: 'add', property: 'participants' }, 'missing_property 1.id'],
  [{ operation: 'add', property: 'participants', id: '' }, 'invalid_property participants'],
  [{ operation: 'set', property: 'participants' }, 'missing_property 1.value'],
  [{ operation: 'set', property: 'participants', value: [] }, 'invalid_property participants'],
  [{ operation: 'set', property: 'participants', value: 'bob' }, 'invalid_property participants'],
])('%j is refused', (step, expected) => {
  expect(failure(step)).toBe(expected);
});

test('a patch is an array of at most 1000 steps', () => {
  expect(failureOf(() => parsePatch(wire, {}))).toBe('invalid_request');
  const step = { operation: 'delete', property: 'metadata.a' };
  expect(parsePatch(wire, new Array(1000).fill(step))).toHaveLength(1000);
  expect(failureOf(() => parsePatch(wire, new Array(1001).fill(step)))).toBe('invalid_property 1000');
});

const KIB = 'x'.repeat(1024);

test.each<[string, unknown]>([
  ['a path', { operation: 'delete', property: `metadata.${KIB}${KIB}x` }],
  ['a text', { operation: 'set', property: 'metadata.a', value: `${KIB}${KIB}` }],
  ['an object', { operation: 'set', property: 'metadata', value: { a: KIB, b: KIB } }],
])('%s that no metadata hold is refused', (_, step) => {
  expect(failure(step)).toBe('invalid_property metadata');
});

test('the paths and values of all steps have a limit together', () => {
  const step = { operation: 'set', property: `metadata.${KIB}`, value: 'x'.repeat(1022) };
  const fitting = new Array<unknown>(limits.metadataPatchBytes / 2048).fill(step);
  expect(parsePatch(wire, fitting)).toHaveLength(32);
  const more = { operation: 'delete', property: 'metadata.x' };
  expect(failureOf(() => parsePatch(wire, [...fitting, more]))).toBe('invalid_property metadata');
});
