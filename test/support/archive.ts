import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  constants,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  randomBytes,
} from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import type { TestApp } from './app.ts';
import type { Json } from './json.ts';
import { until } from './until.ts';

const run = promisify(execFile);

export type KeyPair = { publicKey: string; privateKey: string };

export function makeKeyPair(type: 'spki' | 'pkcs1' = 'spki', modulusLength = 2048): KeyPair {
  return generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type, format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

const spki = { type: 'spki', format: 'pem' } as const;
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;

/** The largest key that may be registered. */
export async function largestKeyPair(): Promise<KeyPair> {
  const pem = await readFile(path.join(import.meta.dirname, 'rsa-16384.pem'), 'utf8');
  const publicKey = createPublicKey(pem).export(spki).toString();
  return { publicKey, privateKey: createPrivateKey(pem).export(pkcs8).toString() };
}

/** A public RSA key whose modulus is a random number of that many bits; its private key is unknown. */
export function publicKeyOf(bits: number): string {
  const modulus = randomBytes(bits / 8);
  modulus[0]! |= 0x80;
  modulus[modulus.length - 1]! |= 1;
  const jwk = { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' };
  return createPublicKey({ key: jwk, format: 'jwk' }).export(spki).toString();
}

export function statusPath(id: string): string {
  return `/exports/${id.slice(id.lastIndexOf('/') + 1)}/status`;
}

/** Resolves with the export when it is completed. */
export function completed(app: TestApp, id: string, withinMs = 30_000): Promise<Json> {
  return until(
    `export ${id} is completed`,
    async () => {
      const { body } = await app.server('GET', statusPath(id), 200);
      if (body.status_reason !== null) throw new Error(`export ${id}: ${body.status_reason}`);
      return body.status === 'completed' ? body : undefined;
    },
    withinMs,
  );
}

export async function download(url: string): Promise<Buffer> {
  // On a connection of its own: the object store closes those that are idle.
  const { statusCode, body } = await request(url, { reset: true });
  assert.equal(statusCode, 200);
  return Buffer.from(await body.arrayBuffer());
}

/** Opens the archive with Node's own functions; its size and hash must be as shown. */
export async function open(shown: Json, privateKey: string): Promise<Json> {
  const archive = await download(shown.download_url);
  assert.equal(archive.length, shown.archive_size);
  assert.equal(createHash('sha256').update(archive).digest('hex'), shown.archive_sha256);
  const oaep = shown.key_padding === 'oaep-sha256';
  const key = privateDecrypt(
    oaep
      ? { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
      : { key: privateKey, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(shown.encrypted_aes_key, 'base64'),
  );
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(shown.aes_iv, 'base64'));
  const tar = gunzipSync(Buffer.concat([decipher.update(archive), decipher.final()]));
  assert.equal(tar.subarray(0, 11).toString(), 'export.json');
  const size = Number.parseInt(tar.subarray(124, 135).toString(), 8);
  return JSON.parse(tar.subarray(512, 512 + size).toString());
}

/** Opens the archive with the commands that a customer would use. */
export async function openByCommands(shown: Json, privateKey: string): Promise<Json> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-archive-'));
  const file = (name: string): string => path.join(folder, name);
  try {
    await writeFile(file('archive'), await download(shown.download_url));
    await writeFile(file('private.pem'), privateKey);
    await writeFile(file('key.enc'), Buffer.from(shown.encrypted_aes_key, 'base64'));
    const padding =
      shown.key_padding === 'oaep-sha256'
        ? ['-pkeyopt', 'rsa_padding_mode:oaep', '-pkeyopt', 'rsa_oaep_md:sha256']
        : [];
    await run('openssl', [
      ...['pkeyutl', '-decrypt', '-inkey', file('private.pem'), '-in', file('key.enc'), '-out', file('key')],
      ...padding,
    ]);
    const key = (await readFile(file('key'))).toString('hex');
    const iv = Buffer.from(shown.aes_iv, 'base64').toString('hex');
    await run('openssl', [
      ...[
        'enc',
        '-d',
        '-aes-256-cbc',
        '-K',
        key,
        '-iv',
        iv,
        '-in',
        file('archive'),
        '-out',
        file('export.tar.gz'),
      ],
    ]);
    await run('mkdir', [file('opened')]);
    await run('tar', ['xzf', file('export.tar.gz'), '-C', file('opened')]);
    // As a text: an array of Node's own is not of the class that a test calls Array.
    assert.equal((await readdir(file('opened'))).join(), 'export.json');
    return JSON.parse(await readFile(file('opened/export.json'), 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
