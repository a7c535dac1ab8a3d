import { importPKCS8, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { ApnsCredentials } from './credentials.ts';

/** Apple takes a token for an hour, and a new one at most every 20 minutes. */
const REUSED_MS = 40 * 60_000;
const MAX_KEPT = 10_000;

/** Tokens by which Apple knows the developer teams. */
export type ProviderTokens = {
  get(credentials: ApnsCredentials): Promise<string>;
  /** Forgets a token, when Apple says that it has expired. */
  forget(credentials: ApnsCredentials): void;
};

export function createProviderTokens(): ProviderTokens {
  // By the system's time, since that is what Apple compares with.
  const cache = new LRUCache<string, Promise<string>>({ max: MAX_KEPT, ttl: REUSED_MS });
  return {
    get(credentials) {
      const key = keyOf(credentials);
      const known = cache.get(key);
      if (known) return known;
      const signed = sign(credentials);
      cache.set(key, signed);
      return signed;
    },
    forget: (credentials) => void cache.delete(keyOf(credentials)),
  };
}

async function sign({ privateKey, keyId, teamId }: ApnsCredentials): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt()
    .sign(await importPKCS8(privateKey, 'ES256'));
}

function keyOf({ privateKey, keyId, teamId }: ApnsCredentials): string {
  return `${teamId} ${keyId} ${privateKey}`;
}
