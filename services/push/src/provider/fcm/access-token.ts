import { importPKCS8, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { TargetClient } from '@parley/outbound/client';
import { isFields } from '@parley/domain/parse/fields';
import type { FcmCredentials } from './credentials.ts';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ASSERTED_SECONDS = 3600;
/** A token is renewed this long before it ends. */
const MARGIN_SECONDS = 300;
const MAX_BODY_BYTES = 16_384;
const MAX_KEPT = 10_000;

/** Google's answer that a service account gets no token: the reason in its words. */
export class AccessRefused extends Error {}

/** Access tokens of service accounts, each fetched once until it is about to end. */
export type AccessTokens = {
  /** Rejects with AccessRefused, or when Google cannot be reached. */
  get(credentials: FcmCredentials): Promise<string>;
  /** Forgets a token, when Google does not take it. */
  forget(credentials: FcmCredentials): void;
};

type Options = { targets: TargetClient; tokenUrl: string };

export function createAccessTokens(options: Options): AccessTokens {
  const cache = new LRUCache<string, Promise<string>>({ max: MAX_KEPT });
  const keyOf = ({ clientEmail, privateKey }: FcmCredentials): string => `${clientEmail} ${privateKey}`;
  return {
    get(credentials) {
      const key = keyOf(credentials);
      const known = cache.get(key);
      if (known) return known;
      const fetched = fetchToken(options, credentials).then(({ token, seconds }) => {
        const ttl = Math.max(1, seconds - MARGIN_SECONDS) * 1000;
        if (cache.get(key) === fetched) cache.set(key, fetched, { ttl });
        return token;
      });
      cache.set(key, fetched);
      fetched.catch(() => {
        if (cache.get(key) === fetched) cache.delete(key);
      });
      return fetched;
    },
    forget: (credentials) => void cache.delete(keyOf(credentials)),
  };
}

async function fetchToken(
  { targets, tokenUrl }: Options,
  { clientEmail, privateKey }: FcmCredentials,
): Promise<{ token: string; seconds: number }> {
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(clientEmail)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime(`${ASSERTED_SECONDS}s`)
    .sign(await importPKCS8(privateKey, 'RS256'));
  const { status, body } = await targets.send({
    method: 'POST',
    url: new URL(tokenUrl),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    maxBytes: MAX_BODY_BYTES,
  });
  const answer = readAnswer(body);
  const { access_token: token, expires_in: seconds } = answer;
  if (status === 200 && typeof token === 'string')
    return { token, seconds: typeof seconds === 'number' ? seconds : ASSERTED_SECONDS };
  const reason = `Google answered ${status}: ${String(answer['error_description'] ?? answer['error'] ?? '')}`;
  throw status >= 400 && status < 500 && status !== 429 ? new AccessRefused(reason) : new Error(reason);
}

function readAnswer(body: Buffer): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(body.toString());
    return isFields(answer) ? answer : {};
  } catch {
    return {};
  }
}
