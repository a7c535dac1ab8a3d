import { LRUCache } from 'lru-cache';
import { getVapidHeaders } from 'web-push';
import type { Context } from '../../context.ts';
import { obtainVapidKey } from './vapid-key.ts';

/** The tokens by which push services know the applications (RFC 8292). */
export type VapidTokens = {
  /** The Authorization header for a push service; undefined: the application is deleted. */
  headerFor(appId: string, origin: string): Promise<string | undefined>;
};

/** Tokens are valid for twelve hours. */
const REUSED_MS = 3_600_000;
const MAX_KEPT = 10_000;

export function createVapidTokens(ctx: Context): VapidTokens {
  // By the system's time, since that is what the push services compare with.
  const cache = new LRUCache<string, string>({ max: MAX_KEPT, ttl: REUSED_MS });
  return {
    async headerFor(appId, origin) {
      const cached = cache.get(`${appId} ${origin}`);
      if (cached !== undefined) return cached;
      const key = await obtainVapidKey(ctx, appId);
      if (!key) return undefined;
      const { contact } = ctx.config;
      const headers = getVapidHeaders(origin, contact, key.publicKey, key.privateKey, 'aes128gcm');
      cache.set(`${appId} ${origin}`, headers.Authorization);
      return headers.Authorization;
    },
  };
}
