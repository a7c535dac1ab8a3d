import { createHash, createHmac, randomBytes } from 'node:crypto';
import { fail } from '@parley/domain/problems';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { STATUS, type ContentRow } from '../sql/content.ts';
import type { Uploader } from './transfer-limiter.ts';

/** Path of uploads, below the service's public address. */
export const UPLOAD_PATH = '/uploads';

const DAY_MS = 86_400_000;
export const UPLOAD_LIFETIME_MS = 7 * DAY_MS;

/** The capability in an upload's address: 256 bits, of which only the hash is stored. */
export type UploadToken = { token: string; hash: Buffer };

type Secrets = Pick<Config, 'contentSecret' | 'acceptedContentSecrets'>;

/**
 * A random token, or one that is derived from the operation's id and a secret, so that a repeated operation returns the same
 * address.
 */
export function newUploadToken(config: Secrets, operationId?: string): UploadToken {
  return operationId === undefined
    ? toUploadToken(randomBytes(32))
    : derivedToken(config.contentSecret, operationId);
}

/** The token of an operation that was performed before, by its hash: the secret may have been another one then. */
export function repeatedToken(config: Secrets, operationId: string, hash: Buffer): UploadToken | undefined {
  return [config.contentSecret, ...config.acceptedContentSecrets]
    .map((secret) => derivedToken(secret, operationId))
    .find((one) => one.hash.equals(hash));
}

function derivedToken(secret: string, operationId: string): UploadToken {
  return toUploadToken(createHmac('sha256', secret).update(`upload ${operationId}`).digest());
}

function toUploadToken(bytes: Buffer): UploadToken {
  const token = bytes.toString('base64url');
  return { token, hash: hashToken(token) };
}

/** The stored form of a token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Refuses addresses of uploads that have ended, and all addresses after seven days. Problems: object_deleted. */
export function requireUsableAddress({ clock }: Context, content: ContentRow): void {
  const isExpired = clock.now() >= content.created_at + UPLOAD_LIFETIME_MS;
  if (!isExpired && content.status <= STATUS.uploaded) return;
  fail('object_deleted', { message: 'The upload was cancelled, or its seven days are over.' });
}

/** The application and user whose share of this process's transfers an upload takes. */
export function uploaderOf({ app_id: appId, user_id: userId, by_server: byServer }: ContentRow): Uploader {
  return { appId, userId: byServer ? null : userId };
}
