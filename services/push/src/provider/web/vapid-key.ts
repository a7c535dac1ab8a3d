import { createECDH } from 'node:crypto';
import type { Context } from '../../context.ts';
import { findVapidKey, insertVapidKey, type VapidKeyRow } from '../../sql/vapid-key.ts';

/** A pair of keys, both as base64url: the public key is a point, uncompressed; the private one 32 bytes. */
export type VapidKey = { publicKey: string; privateKey: string };

const PRIVATE_KEY_BYTES = 32;

/** The key pair of an application, made when there is none yet; undefined: the application is deleted. */
export async function obtainVapidKey(ctx: Context, appId: string): Promise<VapidKey | undefined> {
  const { db, sealer, clock } = ctx;
  const known = await findVapidKey(db, appId);
  if (known) return toKey(ctx, appId, known);
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  const privateKey = leftPadded(pair.getPrivateKey()).toString('base64url');
  await insertVapidKey(db, { appId, publicKey, sealed: sealer.seal(privateKey, appId), now: clock.now() });
  // Another process may have stored one in the meantime.
  const stored = await findVapidKey(db, appId);
  return stored && toKey(ctx, appId, stored);
}

function toKey({ sealer }: Context, appId: string, row: VapidKeyRow): VapidKey {
  return { publicKey: row.public_key, privateKey: sealer.open(row.private_key, appId) };
}

/** Node leaves out leading zeros. */
function leftPadded(key: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - key.length), key]);
}
