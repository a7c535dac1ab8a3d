import Type from 'typebox';
import { nullable, oneOf, optional } from '../schema/schema.ts';
import { defectsOf } from './defects.ts';

const INPUT = Type.Object({
  name: Type.String({ maxLength: 3, pattern: '^[a-z]*$' }),
  level: optional(oneOf(['low', 'high'], 'Level.')),
  sizes: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 2 }),
  size: nullable(Type.Object({ width: Type.Number({ maximum: 9 }) })),
});
const VALID = { name: 'abc', level: 'low', sizes: [1], size: { width: 1 } };

function defectsAt(path: string) {
  return [...defectsOf(INPUT, VALID)].filter((defect) => defect.path === path);
}

function valuesAt(path: 'name' | 'level' | 'sizes' | 'size') {
  return defectsAt(path).map(({ value }) => (value as Partial<typeof VALID>)[path]);
}

test('a required property is of another type, missing, too long, or breaks its pattern', () => {
  expect(valuesAt('name')).toEqual([
    undefined,
    null,
    true,
    1.5,
    [],
    {},
    'abcx',
    ' ',
    'not valid!',
    'svc:///bogus/1',
    'other:///bogus',
    '..',
    '\0',
  ]);
  expect(defectsAt('name')[0]).toEqual({
    path: 'name',
    kind: 'missing key',
    value: { level: 'low', sizes: [1], size: { width: 1 } },
  });
});

test('an optional property is not missing, and may be null', () => {
  expect(valuesAt('level')).toEqual([true, 1.5, [], {}, 'bogus']);
});

test('a list is too short or too long, and so is an item out of range', () => {
  expect(valuesAt('sizes')).toEqual([undefined, null, true, 1.5, 'text', {}, [], [1, 1, 1]]);
  expect(defectsAt('sizes.0').map(({ value }) => (value as typeof VALID).sizes)).toEqual([
    [null],
    [true],
    ['text'],
    [[]],
    [{}],
    [0],
    [1.5],
  ]);
});

test('an object that may be null has defects of its own', () => {
  expect(valuesAt('size')).toEqual([undefined, true, 1.5, 'text', []]);
  expect(defectsAt('size.width').map(({ kind }) => kind)).toEqual([
    'missing key',
    'wrong type',
    'wrong type',
    'wrong type',
    'wrong type',
    'wrong type',
    'out of range',
  ]);
});

test('the whole value is of another type', () => {
  expect(defectsAt('').map(({ value }) => value)).toEqual([null, true, 1.5, 'text', []]);
});
