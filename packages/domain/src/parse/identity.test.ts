import { IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import { failureOf } from '../testing/failure.ts';
import { parseIdentity } from './identity.ts';

const update = (body: unknown) => failureOf(() => parseIdentity(body, 'update'));
const steps = (...body: unknown[]) => parseIdentity(body, 'update');

test('every field is taken, and what is unknown is not', () => {
  const { identity, fields } = parseIdentity(
    {
      display_name: '😀'.repeat(128),
      avatar_url: null,
      phone_number: '1',
      metadata: { a: 'b' },
      identity_type: 'BOT',
      presence: {},
      user_id: 'x',
    },
    'create',
  );
  expect(fields).toEqual(['display_name', 'avatar_url', 'phone_number', 'metadata', 'type']);
  expect(identity).toMatchObject({ displayName: '😀'.repeat(128), phoneNumber: '1', metadata: { a: 'b' } });
  expect(identity.type).toBe(IdentityType.BOT);
  expect(identity.avatarUrl).toBeUndefined();
  expect(identity.userId).toBe('');
});

test.each(['create', 'replace'] as const)('to %s one takes an object with a display name', (mode) => {
  const failure = (body: unknown) => failureOf(() => parseIdentity(body, mode));
  expect(failure({})).toBe('missing_property display_name');
  expect(failure({ display_name: null })).toBe('missing_property display_name');
  expect(failure({ display_name: '' })).toBe('invalid_property display_name');
  expect(failure([])).toBe('invalid_request');
});

test('an update names what it changes; null clears', () => {
  expect(parseIdentity({ first_name: null }, 'update').fields).toEqual(['first_name']);
  expect(parseIdentity({ metadata: null }, 'update')).toMatchObject({
    fields: ['metadata'],
    identity: { metadata: {} },
  });
  expect(parseIdentity({ type: 'Bot', identity_type: 'user' }, 'update').identity.type).toBe(
    IdentityType.BOT,
  );
  expect(parseIdentity({ type: null }, 'update').fields).toEqual([]);
});

test('an update may be a patch array', () => {
  const { identity, fields } = steps(
    { operation: 'set', property: 'display_name', value: 'Joe' },
    { operation: 'delete', property: 'avatar_url' },
    { operation: 'set', property: 'metadata.a\\.b', value: 'x' },
    { operation: 'delete', property: 'metadata.c' },
  );
  expect(fields).toEqual(['display_name', 'avatar_url', 'metadata.a\\.b', 'metadata.c']);
  expect(identity).toMatchObject({ displayName: 'Joe', metadata: { 'a.b': 'x' } });
});

test.each([
  [{ display_name: 'x'.repeat(129) }, 'display_name'],
  [{ first_name: 5 }, 'first_name'],
  [{ last_name: 'a\0' }, 'last_name'],
  [{ last_name: '\ud800' }, 'last_name'],
  [{ avatar_url: 'x'.repeat(1025) }, 'avatar_url'],
  [{ phone_number: 'x'.repeat(33) }, 'phone_number'],
  [{ email_address: 'x'.repeat(256) }, 'email_address'],
  [{ type: 'robot' }, 'type'],
  [{ identity_type: 5 }, 'identity_type'],
  [{ metadata: [] }, 'metadata'],
  [{ metadata: { a: 1 } }, 'metadata'],
  [{ metadata: { a: { b: 'c' } } }, 'metadata'],
  [{ metadata: JSON.parse('{"__proto__": "x"}') as object }, 'metadata'],
  [{ metadata: { a: 'ü'.repeat(1021) } }, 'metadata'],
  [[{ operation: 'set', property: 'metadata.a', value: 'x'.repeat(2041) }], 'metadata'],
  [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, ''])) }, 'metadata'],
  [[{ operation: 'add', property: 'display_name', value: 'x' }], '0.operation'],
  [[{ operation: 'set', property: 'suspended', value: true }], '0.property'],
  [[{ operation: 'set', property: '__proto__', value: {} }], '0.property'],
  [[{ operation: 'set', property: 'metadata.a', value: 5 }], 'metadata'],
  [[5], '0'],
])('%j is refused', (body, property) => {
  expect(update(body)).toBe(`invalid_property ${property}`);
});
