import { commonErrors } from './common-errors.ts';
import type { ApiRoute } from '../api/routes.ts';

const ROUTE: Parameters<typeof commonErrors>[0] = {
  ...({ id: 'ping', route: 'GET /x', method: 'GET', path: '/x', docs: 'x.md', asUser: false } as const),
  ...({ auth: 'session', operator: null, summary: 'X' } as const),
};

function errorsOf(route: Partial<ApiRoute>) {
  return commonErrors({ ...ROUTE, ...route });
}

test('a route without authentication refuses no token, but too many requests of an address', () => {
  expect(errorsOf({ auth: 'none' })).not.toContain('authentication_required');
  expect(errorsOf({ auth: 'none' })).toContain('rate_limit_exceeded');
});

test('only servers name an app that is not found, and users who are suspended', () => {
  expect(errorsOf({})).not.toContain('not_found');
  expect(errorsOf({ auth: 'bearer' })).toContain('not_found');
  expect(errorsOf({ auth: 'bearer' })).not.toContain('user_suspended');
  expect(errorsOf({ auth: 'bearer', asUser: true })).toContain('user_suspended');
});

test('a POST may conflict with the request that had its Idempotency-Key', () => {
  expect(errorsOf({ method: 'POST' })).toEqual(expect.arrayContaining(['conflict', 'invalid_property']));
  expect(errorsOf({ method: 'PUT' })).not.toContain('conflict');
  expect(errorsOf({ method: 'POST', auth: 'none' })).not.toContain('conflict');
  expect(errorsOf({ method: 'POST', auth: 'none', keyOwner: 'login' })).toContain('conflict');
});

test('a server may give a bad id in If-None-Match where it creates something', () => {
  const create = { id: 'createConversation', method: 'POST' } as const;
  expect(errorsOf(create)).not.toContain('invalid_request_id');
  const asUser = { ...create, auth: 'bearer', asUser: true } as const;
  expect(errorsOf(asUser)).toContain('invalid_request_id');
});

test('what any media type is good for is never refused for its Accept', () => {
  expect(errorsOf({})).toContain('invalid_header');
  expect(errorsOf({ accept: 'any' })).not.toContain('invalid_header');
});
