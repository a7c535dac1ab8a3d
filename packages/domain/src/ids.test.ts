import fc from 'fast-check';
import {
  appUri,
  identityUri,
  isUserId,
  isUuid,
  newId,
  parseAppUri,
  parseIdentityRef,
  parsePartRef,
  parseUri,
  partUri,
} from './ids.ts';
import { appId, messageId, partId, wire } from './testing/samples.ts';

test('new ids are uuids of version 7 that carry their time', () => {
  expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(newId(0x0123456789ab)).toMatch(/^01234567-89ab-7/);
  expect(newId()).not.toBe(newId());
});

test('a uuid is one in either case and nothing around it', () => {
  expect(isUuid(messageId.toUpperCase())).toBe(true);
  for (const text of ['', `${messageId}\n`, messageId.slice(1), messageId.replace('-', '0')]) {
    expect(isUuid(text)).toBe(false);
  }
});

describe('a URI', () => {
  test('and a bare uuid name the same, in lower case', () => {
    expect(parseUri(wire, 'messages', `svc:///messages/${messageId.toUpperCase()}`)).toBe(messageId);
    expect(parseUri(wire, 'messages', messageId.toUpperCase())).toBe(messageId);
  });

  test.each([
    `svc:///conversations/${messageId}`,
    `svc:///messages/${messageId}/`,
    `svc://messages/${messageId}`,
    `acme:///messages/${messageId}`,
    `svc:///messages/`,
    '',
  ])('of another form is none: %s', (text) => {
    expect(parseUri(wire, 'messages', text)).toBeUndefined();
  });
});

describe('a user id', () => {
  test.each(['a', '__proto__', 'joe@x.org', ' ', '.', '😀'.repeat(256), 'a'.repeat(256)])(
    'may be %j',
    (text) => {
      expect(isUserId(text)).toBe(true);
    },
  );

  test.each(['', 'a\0', 'a\n', '\x7f', '\x85', 'a\ud800', '\udc00', '😀'.repeat(257), 'a'.repeat(257)])(
    'may not be %j',
    (text) => {
      expect(isUserId(text)).toBe(false);
    },
  );

  test('survives its URI', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }).filter(isUserId), (userId) => {
        expect(parseIdentityRef(wire, identityUri(wire, userId))).toBe(userId);
      }),
    );
  });

  test('may stand bare or as a URI that is not encoded where it need not be', () => {
    expect(parseIdentityRef(wire, 'joe@x')).toBe('joe@x');
    expect(parseIdentityRef(wire, 'svc:///identities/joe@x')).toBe('joe@x');
    expect(identityUri(wire, "o'neil (x)!~")).toBe('svc:///identities/o%27neil%20%28x%29%21%7E');
  });

  test.each([
    '',
    'svc:///identities/',
    'svc:///identities/%',
    'svc:///identities/%00',
    `svc:///messages/${messageId}`,
  ])('is not named by %j', (text) => {
    expect(parseIdentityRef(wire, text)).toBeUndefined();
  });
});

test('a part is named by its URI or its bare uuid', () => {
  const uri = partUri(wire, messageId, partId);
  expect(uri).toBe(`svc:///messages/${messageId}/parts/${partId}`);
  expect(parsePartRef(wire, uri)).toEqual({ messageId, partId });
  expect(parsePartRef(wire, partId.toUpperCase())).toEqual({ partId });
  for (const text of ['', `svc:///messages/${messageId}`, `${uri}/x`, `svc:///messages/x/parts/${partId}`]) {
    expect(parsePartRef(wire, text)).toBeUndefined();
  }
});

test('an app is named with its environment', () => {
  expect(parseAppUri(wire, appUri(wire, 'staging', appId))).toEqual({ environment: 'staging', appId });
  for (const text of [appId, `svc:///apps/${appId}`, `svc:///apps//${appId}`, `svc:///apps/a/${appId}/b`]) {
    expect(parseAppUri(wire, text)).toBeUndefined();
  }
});
