import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  randomBytes,
  verify,
  type ECDH,
} from 'node:crypto';

/** A browser's subscription: its private key and secret stay on the device. */
export type Subscription = {
  keys: { p256dh: string; auth: string };
  /** Opens a body of the encoding `aes128gcm` (RFC 8291 and 8188). Throws when it was not made for this subscription. */
  decrypt(body: Buffer): string;
};

const SALT_BYTES = 16;
const HEADER_BYTES = SALT_BYTES + 4 + 1;
const TAG_BYTES = 16;
const LAST_RECORD = 2;

/** Written from the RFCs with Node's own cryptography, so that it agrees with no library by sharing its mistakes. */
export function createSubscription(given?: { privateKey: string; auth: string }): Subscription {
  const device = createECDH('prime256v1');
  if (given) device.setPrivateKey(given.privateKey, 'base64url');
  else device.generateKeys();
  const p256dh = device.getPublicKey();
  const auth = given ? Buffer.from(given.auth, 'base64url') : randomBytes(16);
  return {
    keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
    decrypt: (body) => decrypt(body, { device, p256dh, auth }),
  };
}

function decrypt(body: Buffer, keys: { device: ECDH; p256dh: Buffer; auth: Buffer }): string {
  const salt = body.subarray(0, SALT_BYTES);
  const recordSize = body.readUInt32BE(SALT_BYTES);
  const idLength = body.readUInt8(HEADER_BYTES - 1);
  const sender = body.subarray(HEADER_BYTES, HEADER_BYTES + idLength);
  const record = body.subarray(HEADER_BYTES + idLength);
  if (body.length > 4096 || record.length > recordSize) throw new Error('the body is larger than one record');
  const secret = keys.device.computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.p256dh, sender]);
  const input = expand(extract(keys.auth, secret), info, 32);
  const key = extract(salt, input);
  const contentKey = expand(key, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = expand(key, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce);
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = plain.findLastIndex((byte) => byte !== 0);
  if (plain[end] !== LAST_RECORD) throw new Error('the record has no delimiter');
  return new TextDecoder('utf-8', { fatal: true }).decode(plain.subarray(0, end));
}

/** HKDF of RFC 5869, with an output of at most one hash. */
function extract(salt: Buffer, input: Buffer): Buffer {
  return createHmac('sha256', salt).update(input).digest();
}

function expand(key: Buffer, info: Buffer, bytes: number): Buffer {
  return createHmac('sha256', key).update(info).update(Buffer.of(1)).digest().subarray(0, bytes);
}

export type VapidClaims = { aud: string; exp: number; sub: string };

/** The claims of an Authorization header of the scheme `vapid` (RFC 8292), and its key. Throws when the signature is wrong. */
export function readVapid(authorization: string): { claims: VapidClaims; key: string } {
  const [, token = '', key = ''] = /^vapid t=([^,\s]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', payload = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65) throw new Error('k is no point of P-256');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  const isRight = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string };
  if (!isRight || alg !== 'ES256') throw new Error('the token is not signed by its key');
  return { claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) as VapidClaims, key };
}
