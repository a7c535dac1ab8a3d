import type { IncomingMessage } from 'node:http';
import { errorOf, fail, failNotFound, problem } from '@parley/domain/problems';
import { createBuckets } from '@parley/kit/flow/limits/buckets';
import { addressOf } from '@parley/kit/flow/limits/client-address';
import type { Clock } from '@parley/kit/runtime/clock';
import { createConcurrency } from '@parley/kit/flow/limits/concurrency';
import type { Database } from '@parley/kit/postgres';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import { findContentByToken, type ContentRow } from '../sql/content.ts';
import { hashToken } from './address.ts';

/** Finds uploads by the tokens in their addresses, and limits how many wrong tokens a client address may try. */
export type UploadTokens = {
  /** Problems: not_found; rate_limit_exceeded after too many wrong tokens; service_unavailable. */
  find(req: IncomingMessage, token: string): Promise<ContentRow>;
};

type Options = { config: Config; clock: Clock; db: Database };

/** Lookups have their own part of the database connections: the application is not known before. */
const LOOKUP_SHARE = 1 / 4;
const WAITING = { all: 20_000, ofAddress: 500, guaranteed: 20 };
const WAIT_MS = 4_000;
/** Valid tokens that this process remembers; about 150 bytes each. */
const MAX_KNOWN_TOKENS = 20_000;

/**
 * A client address is charged for each wrong token. While its bucket is empty, tokens are refused without a lookup, except
 * those that this process has found before: an upload in progress continues.
 */
export function createUploadTokens({ config, clock, db }: Options): UploadTokens {
  const { rateLimitFactor: factor, uploadTokenRate: rate, trustedProxies, poolSize } = config;
  const perSecond = rate.perSecond * factor;
  const buckets =
    factor > 0 ? createBuckets({ perSecond, burst: Math.max(1, rate.burst * factor) }, clock) : undefined;
  const knownTokens = new LRUCache<string, true>({ max: MAX_KNOWN_TOKENS });
  const running = Math.max(1, Math.floor(poolSize * LOOKUP_SHARE));
  const lookups = createConcurrency({
    levels: [
      { running, waiting: WAITING.all, guaranteed: WAITING.guaranteed },
      { running, waiting: WAITING.ofAddress },
    ],
    waitMs: WAIT_MS,
    refusal: () => errorOf(problem('service_unavailable')),
  });

  function requireRoom(address: string): void {
    const wait = buckets?.wait(address) ?? 0;
    if (wait === 0) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(wait));
    fail('rate_limit_exceeded', { data: { policy: 'upload_token' }, retryAfterSeconds });
  }

  return {
    async find(req, token) {
      const address = addressOf(req, trustedProxies);
      const hash = hashToken(token);
      const key = hash.toString('base64url');
      const content = await lookups.run(['', address], async () => {
        if (!knownTokens.has(key)) requireRoom(address);
        return findContentByToken(db, hash);
      });
      if (content) {
        knownTokens.set(key, true);
        return content;
      }
      try {
        requireRoom(address);
      } finally {
        buckets?.charge(address, 1);
      }
      return failNotFound('upload', null);
    },
  };
}
