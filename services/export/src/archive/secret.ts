import { constants, publicEncrypt, randomBytes } from 'node:crypto';
import { KeyPadding } from '@parley/proto/parley/export/v1/export_pb';

export type ExportKey = { publicKey: string; padding: KeyPadding };

/** Key and IV of one archive. */
export type ArchiveSecret = { key: Buffer; iv: Buffer };

/** A random secret: each archive has its own. */
export function newArchiveSecret(): ArchiveSecret {
  return { key: randomBytes(32), iv: randomBytes(16) };
}

/** The AES key as only the holder of the private key can read it. docs/protocol/exports.md#the-archive */
export function encryptKey({ publicKey, padding }: ExportKey, { key }: ArchiveSecret): Buffer {
  return padding === KeyPadding.OAEP_SHA256
    ? publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, key)
    : publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, key);
}
