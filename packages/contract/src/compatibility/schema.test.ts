import Type, { type TSchema } from 'typebox';
import { compareSchemas } from './schema.ts';

function changes(direction: 'input' | 'output', before: TSchema, after: TSchema): string[] {
  return compareSchemas(
    { before: {}, after: {}, direction },
    { before: JSON.parse(JSON.stringify(before)), after: JSON.parse(JSON.stringify(after)), path: 'x' },
  );
}

const NAME = Type.Object({ name: Type.String() });

test.each<[what: string, before: TSchema, after: TSchema, input: string[], output: string[]]>([
  ['nothing', NAME, NAME, [], []],
  [
    'a new optional property',
    NAME,
    Type.Object({ name: Type.String(), age: Type.Optional(Type.Integer()) }),
    [],
    [],
  ],
  [
    'a new required property',
    NAME,
    Type.Object({ name: Type.String(), age: Type.Integer() }),
    ['x.age: is required now'],
    [],
  ],
  [
    'a property that is gone',
    NAME,
    Type.Object({}),
    ['x.name: the property is gone'],
    ['x.name: the property is gone'],
  ],
  [
    'a property that the content of a text has lost',
    Type.String({ contentSchema: NAME }),
    Type.String({ contentSchema: Type.Object({}) }),
    ['x content.name: the property is gone'],
    ['x content.name: the property is gone'],
  ],
  [
    'another type of a place in a tuple',
    Type.Unsafe({ type: 'array', prefixItems: [Type.String()] }),
    Type.Unsafe({ type: 'array', prefixItems: [Type.Integer()] }),
    ['x[0]: the type was string and is integer'],
    ['x[0]: the type was string and is integer'],
  ],
  [
    'a property that became optional',
    NAME,
    Type.Object({ name: Type.Optional(Type.String()) }),
    [],
    ['x.name: may be missing now'],
  ],
  [
    'a property that may be null now',
    NAME,
    Type.Object({ name: Type.Union([Type.String(), Type.Null()]) }),
    [],
    ['x.name: may be null now'],
  ],
  [
    'a property that may be null no more',
    Type.Object({ name: Type.Union([Type.String(), Type.Null()]) }),
    NAME,
    ['x.name: the type was null and is string'],
    ['x.name: the type was null and is string'],
  ],
  [
    'another type',
    Type.Integer(),
    Type.String(),
    ['x: the type was integer and is string'],
    ['x: the type was integer and is string'],
  ],
  ['one value more', Type.Enum(['a']), Type.Enum(['a', 'b']), [], []],
  [
    'one value less',
    Type.Enum(['a', 'b']),
    Type.Enum(['a']),
    ['x: the value "b" is gone'],
    ['x: the value "b" is gone'],
  ],
  [
    'values where there were any',
    Type.String(),
    Type.Enum(['a'], { type: 'string' }),
    ['x: only certain values are left'],
    ['x: only certain values are left'],
  ],
  [
    'another constant',
    Type.Literal('a'),
    Type.Literal('b'),
    ['x: the value "a" is gone'],
    ['x: the value "a" is gone'],
  ],
  [
    'shorter texts',
    Type.String({ maxLength: 9 }),
    Type.String({ maxLength: 8 }),
    ['x: maxLength is narrower'],
    [],
  ],
  ['longer texts', Type.String({ maxLength: 8 }), Type.String({ maxLength: 9 }), [], []],
  ['a pattern', Type.String(), Type.String({ pattern: '^a' }), ['x: pattern is narrower'], []],
  ['no pattern', Type.String({ pattern: '^a' }), Type.String(), [], ['x: pattern is another']],
  [
    'items of another type',
    Type.Array(NAME),
    Type.Array(Type.Object({ name: Type.Integer() })),
    ['x[].name: the type was string and is integer'],
    ['x[].name: the type was string and is integer'],
  ],
  [
    'a closed object',
    NAME,
    Type.Object({ name: Type.String() }, { additionalProperties: false }),
    ['x: other properties are refused now'],
    ['x: other properties are refused now'],
  ],
  [
    'one kind of object more',
    Type.Union([NAME]),
    Type.Union([NAME, Type.Object({ age: Type.Integer() })]),
    [],
    [],
  ],
  [
    'one kind of object less',
    Type.Union([NAME, Type.Object({ age: Type.Integer() })]),
    Type.Union([NAME]),
    ['x.age: the property is gone', 'x.name: is required now'],
    ['x.age: the property is gone'],
  ],
])('%s', (_what, before, after, input, output) => {
  expect(changes('input', before, after)).toEqual(input);
  expect(changes('output', before, after)).toEqual(output);
});

test('references are followed in their own documents, and a schema may contain itself', () => {
  function documentWith(text: object): object {
    const tree = {
      type: 'object',
      properties: { text, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
    };
    return { components: { schemas: { Tree: tree } } };
  }
  const reference = { $ref: '#/components/schemas/Tree' };
  const pair = { before: reference, after: reference, path: 'tree' };
  const [before, after] = [documentWith({ type: 'string' }), documentWith({ type: 'integer' })];
  expect(compareSchemas({ before, after: before, direction: 'output' }, pair)).toEqual([]);
  expect(compareSchemas({ before, after, direction: 'output' }, pair)).toEqual([
    'tree.text: the type was string and is integer',
  ]);
  expect(() => compareSchemas({ before, after: {}, direction: 'output' }, pair)).toThrow(
    'the document has no #/components/schemas/Tree',
  );
});
