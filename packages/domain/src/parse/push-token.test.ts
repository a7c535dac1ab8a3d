import { createECDH, randomBytes } from 'node:crypto';
import { failureOf } from '../testing/failure.ts';
import { parsePushToken } from './push-token.ts';

const POINT = createECDH('prime256v1').generateKeys();
const AUTH = randomBytes(16).toString('base64url');

function web(changes: Record<string, unknown> = {}) {
  const keys = { p256dh: POINT.toString('base64url'), auth: AUTH };
  return { type: 'web', device_id: 'browser', token: 'https://push.example/1', keys, ...changes };
}

function keys(p256dh: Buffer | string, auth: string = AUTH) {
  return web({ keys: { p256dh: typeof p256dh === 'string' ? p256dh : p256dh.toString('base64url'), auth } });
}

test('a subscription of a browser is kept with its keys', () => {
  expect(parsePushToken(web({ expirationTime: null }))).toMatchObject({
    type: 'web',
    token: 'https://push.example/1',
    details: { keys: { p256dh: POINT.toString('base64url'), auth: AUTH }, expirationTime: null },
  });
});

/** The last coordinate changed: the point is not on the curve. */
const beside = Buffer.from(POINT);
beside[64]! ^= 1;

test.each([
  ['a point beside the curve', keys(beside), 'keys.p256dh'],
  ['no point at all', keys(Buffer.alloc(65, 4)), 'keys.p256dh'],
  ['a compressed point', keys(POINT.subarray(0, 33)), 'keys.p256dh'],
  ['base64 of another alphabet', keys('+/+/'), 'keys.p256dh'],
  ['a secret of 15 bytes', keys(POINT, randomBytes(15).toString('base64url')), 'keys.auth'],
  ['an address without TLS', web({ token: 'http://push.example/1' }), 'token'],
  ['an address with a password', web({ token: 'https://a:b@push.example/1' }), 'token'],
  ['no address', web({ token: 'a token' }), 'token'],
])('%s is refused', (_name, body, property) => {
  expect(failureOf(() => parsePushToken(body))).toBe(`invalid_property ${property}`);
});

test('a subscription without keys is refused, other devices have none', () => {
  expect(failureOf(() => parsePushToken(web({ keys: null })))).toBe('missing_property keys');
  expect(parsePushToken({ type: 'gcm', device_id: 'phone', token: 'x' })).toMatchObject({ type: 'gcm' });
});
