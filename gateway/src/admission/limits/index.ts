import type { IncomingMessage } from 'node:http';
import { createAddressLimits, type AddressLimits } from '@parley/http/limits/address-limits';
import { createLimit, type Limit } from '@parley/http/limits/limit';
import type { Rate } from '@parley/kit/flow/limits/buckets';
import type { Clock } from '@parley/kit/runtime/clock';
import { Caller_Kind, type Caller } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrency.ts';
import type { LimitsConfig } from './settings.ts';
import { createRefusedSockets, type RefusedSockets } from './refused-sockets.ts';
import { createSocketSlots, type SocketSlots } from './socket-slots.ts';

export type { TokenGuard } from '@parley/http/limits/failed-tokens';
export type { LimitsConfig } from './settings.ts';

/** Each method takes one token from a bucket. Problems: rate_limit_exceeded. */
export type Limits = AddressLimits & {
  caller(caller: Pick<Caller, 'kind' | 'id'>): Weigh;
  session(id: string): Weigh;
  /** A search for users, besides what it takes as a request of the session. */
  userSearch(sessionId: string): void;
  /** An upgrade, before its token is checked. */
  upgradeFrom(req: IncomingMessage): void;
  /** An upgrade with the token of a session. */
  upgrade(sessionId: string): void;
  concurrency: ConcurrencyLimiter;
  socketSlots: SocketSlots;
  refusedSockets: RefusedSockets;
};

/** Charges the caller for a request that weighs more than an ordinary one, which weighs 1. Called once per request; never refuses. */
export type Weigh = (weight: number) => void;

export function createLimits(config: LimitsConfig, clock: Clock): Limits {
  const { factor } = config;
  function limit(policy: string, rate: Rate) {
    return createLimit({ policy, rate, factor, clock });
  }
  const byAddress = createAddressLimits(config, clock);
  const { addressOf } = byAddress;
  const session = limit('session', config.session);
  const accessToken = limit('access_token', config.accessToken);
  const upgrade = limit('upgrade', config.upgrade);
  const userSearch = limit('user_search', config.userSearch);
  const upgradeAddress = limit('upgrade_address', config.upgradeAddress);
  return {
    ...byAddress,
    session: (id) => takeFrom(session, id),
    caller: ({ kind, id }) => takeFrom(kind === Caller_Kind.SESSION ? session : accessToken, id),
    userSearch: userSearch.take,
    upgradeFrom: (req) => upgradeAddress.take(addressOf(req)),
    upgrade: upgrade.take,
    concurrency: createConcurrencyLimiter(config.concurrency),
    socketSlots: createSocketSlots(config.maxSocketsPerUser),
    refusedSockets: createRefusedSockets(addressOf),
  };
}

function takeFrom(limit: Limit, key: string): Weigh {
  limit.take(key);
  return (weight) => {
    if (weight > 1) limit.charge(key, weight - 1);
  };
}
