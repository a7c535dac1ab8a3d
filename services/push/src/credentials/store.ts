import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import type { ApnsCredentials } from '../provider/apns/credentials.ts';
import type { FcmCredentials } from '../provider/fcm/credentials.ts';
import { listCredentials } from '../sql/credentials.ts';

/** What an application sends with. */
export type Credentials = { fcm?: FcmCredentials; apns?: ApnsCredentials };

/** Credentials of applications, read again after some seconds. */
export type CredentialsStore = { of(appId: string): Promise<Credentials> };

/** A change is used by all replicas after at most this long. */
const KEPT_MS = 5_000;
const MAX_KEPT = 10_000;

export function createCredentialsStore(ctx: Context): CredentialsStore {
  const cache = new LRUCache<string, Promise<Credentials>>({ max: MAX_KEPT, ttl: KEPT_MS });
  return {
    of(appId) {
      const known = cache.get(appId);
      if (known) return known;
      const read = readCredentials(ctx, appId);
      cache.set(appId, read);
      read.catch(() => cache.delete(appId));
      return read;
    },
  };
}

async function readCredentials({ db, keyRing }: Context, appId: string): Promise<Credentials> {
  const rows = await listCredentials(db, appId);
  const opened = rows.map(({ provider, sealed, sealed_with: keyId }) => [
    provider,
    JSON.parse(keyRing.open({ keyId, sealed }, contextOf(appId, provider))) as unknown,
  ]);
  return Object.fromEntries(opened) as Credentials;
}

/** Sealed credentials open for their application and provider alone. */
export function contextOf(appId: string, provider: string): string {
  return `${appId} ${provider}`;
}
