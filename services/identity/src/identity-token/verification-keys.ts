import { importSPKI, type CryptoKey } from 'jose';
import { LRUCache } from 'lru-cache';

/** Parsed public keys, by their PEM. */
export type VerificationKeys = { get(pem: string): Promise<CryptoKey> };

const MAX_CACHED_KEYS = 10_000;

/** Caches parsed keys, since parsing a key costs more than verifying with it. */
export function createVerificationKeys(): VerificationKeys {
  const keys = new LRUCache<string, CryptoKey>({ max: MAX_CACHED_KEYS });
  return {
    async get(pem) {
      const cached = keys.get(pem);
      if (cached) return cached;
      const key = await importSPKI(pem, 'RS256');
      keys.set(pem, key);
      return key;
    },
  };
}
