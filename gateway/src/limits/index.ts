import type { IncomingMessage } from 'node:http';
import { fail } from '@parley/domain/problems';
import type { Clock } from '@parley/kit/clock';
import { Caller_Kind, type Caller } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { addressOf } from './address.ts';
import { createBuckets, type Rate } from './buckets.ts';

/** SPEC completions 9 */
export type LimitsConfig = Readonly<{
  /** Multiplies every figure; 0: no limits. */
  factor: number;
  session: Rate;
  accessToken: Rate;
  address: Rate;
  /** Proxies in front of the gateway that append to X-Forwarded-For: the client's address is what the first of them saw. */
  trustedProxies: number;
}>;

/** Each of these takes one from a bucket. Problems: rate_limit_exceeded. */
export type Limits = {
  caller(caller: Pick<Caller, 'kind' | 'id'>): void;
  session(id: string): void;
  /** For those who have no token yet. */
  address(req: IncomingMessage): void;
};

export function createLimits(config: LimitsConfig, clock: Clock): Limits {
  const { factor } = config;

  function limit(policy: string, { perSecond, burst }: Rate): (key: string) => void {
    if (factor === 0) return () => undefined;
    const buckets = createBuckets(
      { perSecond: perSecond * factor, burst: Math.max(1, burst * factor) },
      clock,
    );
    return (key) => {
      const wait = buckets.take(key);
      if (wait > 0) refuse(policy, wait);
    };
  }

  const session = limit('session', config.session);
  const accessToken = limit('access_token', config.accessToken);
  const address = limit('address', config.address);
  return {
    session,
    caller: ({ kind, id }) => (kind === Caller_Kind.SESSION ? session(id) : accessToken(id)),
    address: (req) => address(addressOf(req, config.trustedProxies)),
  };
}

function refuse(policy: string, wait: number): never {
  return fail('rate_limit_exceeded', { data: { policy }, retryAfterSeconds: Math.max(1, Math.ceil(wait)) });
}

/** The header of a refusal: nothing is left of which policy, and for how many seconds. */
export function rateLimitHeader(
  data: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  const { policy, retry_after_seconds: seconds } = data ?? {};
  return typeof policy === 'string' && typeof seconds === 'number'
    ? `"${policy}";r=0;t=${seconds}`
    : undefined;
}
