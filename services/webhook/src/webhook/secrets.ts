import { randomBytes } from 'node:crypto';
import type { Sealer } from '@parley/kit/seal';

/** The secrets of a webhook: the first signs alone, once the time of the others (milliseconds) has come. */
export type Secrets = { current: string; previous: { secret: string; until: number }[] };

const PREVIOUS_SIGNS_MS = 24 * 3600_000;
const MAX_PREVIOUS = 4;

export function sealSecrets(sealer: Sealer, webhookId: string, secrets: Secrets): Buffer {
  return sealer.seal(JSON.stringify(secrets), webhookId);
}

export function openSecrets(sealer: Sealer, webhookId: string, sealed: Uint8Array): Secrets {
  return JSON.parse(sealer.open(sealed, webhookId)) as Secrets;
}

/** What the secret that is replaced signs for another day. */
export function rotate({ current, previous }: Secrets, secret: string, now: number): Secrets {
  const valid = previous.filter(({ until }) => until > now);
  return {
    current: secret,
    previous: [{ secret: current, until: now + PREVIOUS_SIGNS_MS }, ...valid].slice(0, MAX_PREVIOUS),
  };
}

/** Those that sign now, the current one first. */
export function signingSecrets({ current, previous }: Secrets, now: number): string[] {
  return [current, ...previous.filter(({ until }) => until > now).map(({ secret }) => secret)];
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
