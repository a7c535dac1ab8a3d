import { importSPKI, type CryptoKey } from 'jose';
import { LRUCache } from 'lru-cache';

/** Public keys ready for verification, by their PEM. */
export type VerificationKeys = { get(pem: string): Promise<CryptoKey> };

const MOST = 10_000;

/** Parsing a key costs more than verifying with it, so the keys in use are kept. */
export function createVerificationKeys(): VerificationKeys {
  const keys = new LRUCache<string, CryptoKey>({ max: MOST });
  return {
    async get(pem) {
      const known = keys.get(pem);
      if (known) return known;
      const key = await importSPKI(pem, 'RS256');
      keys.set(pem, key);
      return key;
    },
  };
}
