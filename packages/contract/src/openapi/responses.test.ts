import Type from 'typebox';
import type { ApiRoute } from '../api/routes.ts';
import { createRegistry, type Registry } from './registry.ts';
import { responsesOf } from './responses.ts';

const ROUTE: ApiRoute = {
  ...({ id: 'ping', route: 'POST /x', method: 'POST', path: '/x', docs: 'x.md', asUser: false } as const),
  ...({ auth: 'session', operator: null, summary: 'X' } as const),
  tag: 'Messages',
  description: 'X',
  success: { 204: { description: 'Done.' } },
  errors: [],
};

function responses(route: Partial<ApiRoute>) {
  const registry = createRegistry();
  const statuses = Object.entries(responsesOf({ ...ROUTE, ...route }, registry));
  return Object.fromEntries(
    statuses.map(([status, response]) => [status, inlined(response as object, registry)]),
  );
}

function inlined(response: { $ref?: string }, registry: Registry): object {
  const name = response.$ref?.split('/').at(-1);
  return name === undefined ? response : (registry.responses.get(name) ?? {});
}

test('an error that carries a record says so', () => {
  const conflict = responses({ errors: ['id_in_use'], errorData: { id_in_use: Type.String() } });
  expect(JSON.stringify(conflict)).toContain('"data":{"type":"string"}');
});

test('a message that a client does not find is an empty 404', () => {
  expect(responses({ emptyNotFound: true })).toMatchObject({
    404: { description: expect.stringContaining('empty') as string },
  });
  expect(JSON.stringify(responses({ emptyNotFound: true }))).not.toContain('not_found');
});

test('a server also gets a 404 with a body, for an app that is not its own', () => {
  expect(JSON.stringify(responses({ emptyNotFound: true, auth: 'bearer' }))).toContain(
    'schemas/NotFoundError',
  );
});

test('a 401 of a client route has a nonce, that of a server route has not', () => {
  expect(JSON.stringify(responses({}))).toContain('schemas/AuthenticationRequiredErrorWithNonce');
  expect(JSON.stringify(responses({ auth: 'bearer' }))).not.toContain('WithNonce');
});

test('a header that an answer always has is required', () => {
  const headers = { Location: Type.String(), Link: Type.Optional(Type.String()) };
  expect(responses({ success: { 201: { description: 'Made.', headers } } })).toMatchObject({
    201: { headers: { Location: { required: true }, Link: { required: false } } },
  });
  const registry = createRegistry();
  responsesOf(ROUTE, registry);
  const required = [...registry.headers].map(([name, header]) => [name, 'required' in header]);
  expect(Object.fromEntries(required)).toEqual({
    'X-Request-Id': true,
    'Retry-After': true,
    'WWW-Authenticate': true,
    RateLimit: false,
  });
});

test('operations that may answer the same errors share the response', () => {
  const registry = createRegistry();
  const answers = [ROUTE, { ...ROUTE, errors: ['conflict' as const] }].map((route) =>
    responsesOf(route, registry),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect([...registry.responses.keys()]).toContain('AccessDeniedOrAppSuspended');
});

test('a POST without a described body may still be refused for its body', () => {
  expect(responses({})).toHaveProperty('413');
  expect(responses({ method: 'GET' })).not.toHaveProperty('413');
});
