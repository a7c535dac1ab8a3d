import { randomBytes } from 'node:crypto';
import type { Sealer } from '@parley/kit/runtime/seal';

/** The secrets of a webhook. Previous ones sign as well until a time, in milliseconds. */
export type Secrets = { current: string; previous: { secret: string; until: number }[] };

const PREVIOUS_SIGNS_MS = 24 * 3600_000;
const MAX_PREVIOUS = 4;

/** Encrypts the secrets, bound to the webhook's id. */
export function sealSecrets(sealer: Sealer, webhookId: string, secrets: Secrets): Buffer {
  return sealer.seal(JSON.stringify(secrets), webhookId);
}

/** Decrypts the secrets. Throws when they were sealed for another webhook. */
export function openSecrets(sealer: Sealer, webhookId: string, sealed: Uint8Array): Secrets {
  return JSON.parse(sealer.open(sealed, webhookId)) as Secrets;
}

/** Replaces the current secret, which signs for another day. */
export function rotate({ current, previous }: Secrets, secret: string, now: number): Secrets {
  const valid = previous.filter(({ until }) => until > now);
  return {
    current: secret,
    previous: [{ secret: current, until: now + PREVIOUS_SIGNS_MS }, ...valid].slice(0, MAX_PREVIOUS),
  };
}

/** The secrets that sign now, the current one first. */
export function signingSecrets({ current, previous }: Secrets, now: number): string[] {
  return [current, ...previous.filter(({ until }) => until > now).map(({ secret }) => secret)];
}

/** A random secret of 256 bits. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
