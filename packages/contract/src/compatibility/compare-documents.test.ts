import { breakingChanges, type ApiDocument } from './compare-documents.ts';

type Parts = {
  version?: string;
  path?: string;
  input?: object;
  isBodyRequired?: boolean;
  output?: object;
  status?: string;
  headers?: Record<string, object>;
  security?: Record<string, string[]>[];
  parameters?: object[];
  components?: object;
};

function json(schema: object) {
  return { 'application/json': { schema } };
}

function api({ version = '3.0', path = '/things/{id}', status = '200', ...parts }: Parts): ApiDocument {
  const {
    input,
    output = {},
    headers = {},
    parameters = [],
    security = [],
    isBodyRequired = true,
    components,
  } = parts;
  const operation = {
    operationId: 'thing',
    parameters,
    security,
    ...(input && { requestBody: { required: isBodyRequired, content: json(input) } }),
    responses: { [status]: { headers, content: json(output) } },
  };
  return { info: { version }, paths: { [path]: { post: operation } }, ...(components && { components }) };
}

function changed(before: Parts, after: Parts): string[] {
  return breakingChanges(api(before), api(after));
}

function object(properties: Record<string, object>, required: string[] = []): object {
  return { type: 'object', properties, required };
}

const TEXT: object = { type: 'string' };

test('a removed operation, status or header breaks', () => {
  expect(breakingChanges(api({}), { info: { version: '3.0' }, paths: {} })).toEqual([
    'POST /things/{id} was removed',
  ]);
  expect(changed({}, { status: '201' })).toEqual(['POST /things/{id} 200 was removed']);
  expect(changed({ headers: { Link: {} } }, {})).toEqual(['POST /things/{id} 200 header Link was removed']);
});

test('a header of an answer keeps its type, and stays where it always was', () => {
  const [given, always] = [{ schema: TEXT }, { schema: TEXT, required: true }];
  const place = 'POST /things/{id} 200 header Link';
  expect(changed({ headers: { Link: given } }, { headers: { Link: always } })).toEqual([]);
  expect(changed({ headers: { Link: always } }, { headers: { Link: given } })).toEqual([
    `${place} may be missing`,
  ]);
  expect(
    changed({ headers: { Link: given } }, { headers: { Link: { schema: { type: 'integer' } } } }),
  ).toEqual([`${place}: the type was string and is integer`]);
});

test('a way of authorization stays, and where none was needed none is', () => {
  const [session, bearer] = [{ session: [] }, { bearer: [] }];
  const place = 'POST /things/{id}';
  expect(changed({ security: [session] }, { security: [session, bearer] })).toEqual([]);
  expect(changed({ security: [session] }, {})).toEqual([]);
  expect(changed({ security: [session, bearer] }, { security: [session] })).toEqual([
    `${place} does not take the authorization bearer any more`,
  ]);
  expect(changed({}, { security: [session] })).toEqual([`${place} asks for authorization`]);
});

test('another name for a parameter in the path does not', () => {
  expect(changed({}, { path: '/things/{thing_id}' })).toEqual([]);
});

test('a removed event of webhooks breaks, and so does a property that its body loses', () => {
  const before = { info: { version: '3.0' }, webhooks: api({ input: object({ a: TEXT }) }).paths };
  const without = { info: { version: '3.0' }, webhooks: api({ input: object({}) }).paths };
  expect(breakingChanges(before, { info: { version: '3.0' } })).toHaveLength(1);
  expect(breakingChanges(before, without)).toEqual(['POST /things/{id} body $.a: the property is gone']);
  expect(breakingChanges(without, before)).toEqual([]);
});

test('a header of webhooks stays, and more of them may come', () => {
  function webhook(header: object): ApiDocument {
    const parameters = [{ name: 'a', in: 'header', schema: TEXT, ...header }];
    return { info: { version: '3.0' }, webhooks: api({ parameters }).paths };
  }
  const [given, always] = [webhook({}), webhook({ required: true })];
  expect(breakingChanges(given, always)).toEqual([]);
  expect(breakingChanges(always, given)).toEqual(['POST /things/{id} header a may be missing']);
});

test('an answer loses a property, and gets one', () => {
  const [without, having] = [{ output: object({}) }, { output: object({ a: TEXT }) }];
  expect(changed(having, without)).toEqual(['POST /things/{id} 200 $.a: the property is gone']);
  expect(changed(without, having)).toEqual([]);
});

test('a body has to have a property, and no longer has to', () => {
  const [optional, required] = [{ input: object({ a: TEXT }) }, { input: object({ a: TEXT }, ['a']) }];
  expect(changed(optional, required)).toEqual(['POST /things/{id} body $.a: is required now']);
  expect(changed(required, optional)).toEqual([]);
});

test('an error that is shared among the components is compared where it stands', () => {
  function withShared(output: object): ApiDocument {
    const document = api({});
    const responses = { Shared: { content: json(output) } };
    const post = { operationId: 'thing', responses: { 404: { $ref: '#/components/responses/Shared' } } };
    return Object.assign(document, { paths: { '/things/{id}': { post } }, components: { responses } });
  }
  const [before, after] = [withShared(object({ a: TEXT })), withShared(object({}))];
  expect(breakingChanges(before, before)).toEqual([]);
  expect(breakingChanges(before, after)).toEqual(['POST /things/{id} 404 $.a: the property is gone']);
});

test('a body becomes required', () => {
  expect(changed({ input: TEXT, isBodyRequired: false }, { input: TEXT })).toEqual([
    'POST /things/{id} requires a body',
  ]);
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
