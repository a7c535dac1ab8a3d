import { breakingChanges, type ApiDocument } from './compare-documents.ts';
import type { JsonSchema } from './json-schema.ts';

type Parts = {
  version?: string;
  path?: string;
  input?: JsonSchema;
  isBodyRequired?: boolean;
  output?: JsonSchema;
  status?: string;
  headers?: Record<string, object>;
  parameters?: object[];
  components?: object;
};

function json(schema: JsonSchema) {
  return { 'application/json': { schema } };
}

function api({ version = '3.0', path = '/things/{id}', status = '200', ...parts }: Parts): ApiDocument {
  const { input, output = {}, headers = {}, parameters = [], isBodyRequired = true, components } = parts;
  const operation = {
    operationId: 'thing',
    parameters,
    ...(input && { requestBody: { required: isBodyRequired, content: json(input) } }),
    responses: { [status]: { headers, content: json(output) } },
  };
  return { info: { version }, paths: { [path]: { post: operation } }, ...(components && { components }) };
}

function changed(before: Parts, after: Parts): string[] {
  return breakingChanges(api(before), api(after));
}

function object(properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema {
  return { type: 'object', properties, required };
}

const TEXT: JsonSchema = { type: 'string' };
const TEXT_OR_NULL: JsonSchema = { anyOf: [TEXT, { type: 'null' }] };

test('a removed operation, status or header breaks', () => {
  expect(breakingChanges(api({}), { info: { version: '3.0' }, paths: {} })).toEqual([
    'POST /things/{id} was removed',
  ]);
  expect(changed({}, { status: '201' })).toEqual(['POST /things/{id} 200 was removed']);
  expect(changed({ headers: { Link: {} } }, {})).toEqual(['POST /things/{id} 200 header Link was removed']);
});

test('another name for a parameter in the path does not', () => {
  expect(changed({}, { path: '/things/{thing_id}' })).toEqual([]);
});

test('a removed event of webhooks breaks, and so does a property that its body loses', () => {
  const before = { info: { version: '3.0' }, webhooks: api({ input: object({ a: TEXT }) }).paths };
  const without = { info: { version: '3.0' }, webhooks: api({ input: object({}) }).paths };
  expect(breakingChanges(before, { info: { version: '3.0' } })).toHaveLength(1);
  expect(breakingChanges(before, without)).toEqual(['POST /things/{id} body $.a was removed']);
  expect(breakingChanges(without, before)).toEqual([]);
});

describe('an answer', () => {
  test.each<[string, JsonSchema, JsonSchema, string[]]>([
    ['loses a property', object({ a: TEXT }), object({}), ['$.a was removed']],
    ['gets a property', object({}), object({ a: TEXT }, ['a']), []],
    ['may leave out a property', object({ a: TEXT }, ['a']), object({ a: TEXT }), ['$.a may be left out']],
    ['has another type', object({ a: TEXT }), object({ a: { type: 'integer' } }), ['$.a changed its type']],
    ['has an integer for a number', { type: 'number' }, { type: 'integer' }, []],
    ['has a number for an integer', { type: 'integer' }, { type: 'number' }, ['$ changed its type']],
    ['may be null', TEXT, TEXT_OR_NULL, ['$ may be null']],
    ['is never null', TEXT_OR_NULL, TEXT, []],
    ['gets a value', { enum: ['a'] }, { enum: ['a', 'b'] }, []],
    [
      'loses a property of its items',
      { type: 'array', items: object({ a: TEXT }) },
      { type: 'array', items: object({}) },
      ['$[].a was removed'],
    ],
    [
      'loses an alternative',
      { anyOf: [object({ a: TEXT }), object({ b: TEXT })] },
      object({ a: TEXT }),
      ['$.b was removed'],
    ],
  ])('%s', (_, before, after, expected) => {
    const places = expected.map((change) => `POST /things/{id} 200 ${change}`);
    expect(changed({ output: before }, { output: after })).toEqual(places);
  });

  test('refers to a schema that contains itself', () => {
    const tree = { $ref: '#/components/schemas/Tree' };
    const components = (name: string) => ({
      schemas: { Tree: object({ [name]: TEXT, children: { type: 'array', items: tree } }) },
    });
    const before = { output: tree, components: components('a') };
    expect(changed(before, before)).toEqual([]);
    expect(changed(before, { output: tree, components: components('b') })).toEqual([
      'POST /things/{id} 200 $.a was removed',
    ]);
  });
});

test('values of a map may contain the map', () => {
  const map = { $ref: '#/components/schemas/Map' };
  const value = { anyOf: [TEXT, map] };
  const before = {
    output: map,
    components: { schemas: { Map: { type: 'object', additionalProperties: value } } },
  };
  expect(changed(before, structuredClone(before))).toEqual([]);
});

describe('a body of a request', () => {
  test.each<[string, JsonSchema, JsonSchema, string[]]>([
    ['has to have a property', object({}), object({ a: TEXT }, ['a']), ['$.a is required']],
    ['may have a property', object({}), object({ a: TEXT }), []],
    ['no longer has to have a property', object({ a: TEXT }, ['a']), object({ a: TEXT }), []],
    ['loses a value', { enum: ['a', 'b'] }, { enum: ['a'] }, ['$ takes fewer values']],
    ['gets a value', { enum: ['a'] }, { enum: ['a', 'b'] }, []],
    ['is one of a few values', TEXT, { type: 'string', enum: ['a'] }, ['$ takes fewer values']],
    ['cannot be null', TEXT_OR_NULL, TEXT, ['$ does not take null']],
    ['may be null', TEXT, TEXT_OR_NULL, []],
    [
      'is shorter',
      { type: 'string', maxLength: 9 },
      { type: 'string', maxLength: 8 },
      ['$ has a narrower maxLength'],
    ],
    ['may be longer', { type: 'string', maxLength: 8 }, TEXT, []],
    ['is larger', { type: 'integer' }, { type: 'integer', minimum: 1 }, ['$ has a narrower minimum']],
  ])('%s', (_, before, after, expected) => {
    const places = expected.map((change) => `POST /things/{id} body ${change}`);
    expect(changed({ input: before }, { input: after })).toEqual(places);
  });

  test('becomes required', () => {
    expect(changed({ input: TEXT, isBodyRequired: false }, { input: TEXT })).toEqual([
      'POST /things/{id} requires a body',
    ]);
  });
});

test('a parameter that requests have to have, or may no longer have, breaks', () => {
  const query = { name: 'a', in: 'query', schema: TEXT };
  expect(changed({}, { parameters: [query] })).toEqual([]);
  expect(changed({}, { parameters: [{ ...query, required: true }] })).toEqual([
    'POST /things/{id} query a is required',
  ]);
  expect(changed({ parameters: [query] }, {})).toEqual(['POST /things/{id} query a was removed']);
});

test('a version whose first number has risen may change anything', () => {
  expect(changed({}, { version: '3.1', status: '201' })).toHaveLength(1);
  expect(changed({}, { version: '4.0', status: '201' })).toEqual([]);
});
