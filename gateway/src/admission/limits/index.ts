import type { IncomingMessage } from 'node:http';
import type { Rate } from '@parley/kit/flow/limits/buckets';
import { addressOf } from '@parley/kit/flow/limits/client-address';
import type { Clock } from '@parley/kit/runtime/clock';
import { Caller_Kind, type Caller } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { guardTokens, type TokenGuard } from '@parley/http/limits/failed-tokens';
import { createLimit, type Limit } from '@parley/http/limits/limit';
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrency.ts';
import type { LimitsConfig } from './settings.ts';
import { createRefusedSockets, type RefusedSockets } from './refused-sockets.ts';
import { createRefusalCounter, type RefusalCounter } from '@parley/http/limits/refusal-counter';
import { createSocketSlots, type SocketSlots } from './socket-slots.ts';

export type { TokenGuard } from '@parley/http/limits/failed-tokens';
export type { LimitsConfig } from './settings.ts';

/** Each of these takes one from a bucket. Problems: rate_limit_exceeded. */
export type Limits = {
  caller(caller: Pick<Caller, 'kind' | 'id'>): Weigh;
  session(id: string): Weigh;
  /** A request of a client that has no token yet. */
  address(req: IncomingMessage): void;
  /** A request for a file of a page: many make one page, and browsers keep them. Takes a part of a token of the same bucket. */
  file(req: IncomingMessage): void;
  failedTokens(req: IncomingMessage): TokenGuard;
  /** A request that signs in to the console. */
  signIn(req: IncomingMessage): void;
  /** An upgrade, before its token is checked. */
  upgradeFrom(req: IncomingMessage): void;
  /** An upgrade with the token of a session. */
  upgrade(sessionId: string): void;
  /** The address that a request counts for. */
  addressOf(req: IncomingMessage): string;
  /** Counts packets and requests that were refused. It refuses nothing itself. */
  refusals: RefusalCounter;
  concurrency: ConcurrencyLimiter;
  socketSlots: SocketSlots;
  refusedSockets: RefusedSockets;
};

/** Charges the caller for a request that weighs more than an ordinary one, whose weight is 1. Called once; refuses nothing. */
export type Weigh = (weight: number) => void;

/** Weight of a file of a page; an ordinary request has 1. */
const FILE_WEIGHT = 0.1;

export function createLimits(config: LimitsConfig, clock: Clock): Limits {
  const { factor, trustedProxies } = config;
  function limit(policy: string, rate: Rate) {
    return createLimit({ policy, rate, factor, clock });
  }
  function client(req: IncomingMessage) {
    return addressOf(req, trustedProxies);
  }
  const session = limit('session', config.session);
  const accessToken = limit('access_token', config.accessToken);
  const address = limit('address', config.address);
  const signIn = limit('sign_in', config.signIn);
  const upgrade = limit('upgrade', config.upgrade);
  const upgradeAddress = limit('upgrade_address', config.upgradeAddress);
  return {
    session: (id) => takeFrom(session, id),
    caller: ({ kind, id }) => takeFrom(kind === Caller_Kind.SESSION ? session : accessToken, id),
    address: (req) => address.take(client(req)),
    file(req) {
      const key = client(req);
      address.require(key);
      address.charge(key, FILE_WEIGHT);
    },
    failedTokens: guardTokens(limit('failed_token', config.failedToken), client),
    signIn: (req) => signIn.take(client(req)),
    upgradeFrom: (req) => upgradeAddress.take(client(req)),
    upgrade: upgrade.take,
    addressOf: client,
    refusals: createRefusalCounter({ rate: config.refusal, factor, clock }),
    concurrency: createConcurrencyLimiter(config.concurrency),
    socketSlots: createSocketSlots(config.maxSocketsPerUser),
    refusedSockets: createRefusedSockets(client),
  };
}

function takeFrom(limit: Limit, key: string): Weigh {
  limit.take(key);
  return (weight) => {
    if (weight > 1) limit.charge(key, weight - 1);
  };
}
