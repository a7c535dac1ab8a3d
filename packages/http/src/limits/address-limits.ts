import type { IncomingMessage } from 'node:http';
import { addressOf } from '@parley/kit/flow/limits/client-address';
import type { Clock } from '@parley/kit/runtime/clock';
import { guardTokens, type TokenGuard } from './failed-tokens.ts';
import { createLimit } from './limit.ts';
import { createRefusalCounter, type RefusalCounter } from './refusal-counter.ts';
import type { AddressLimitsConfig } from './settings.ts';

/** Limits for callers who have shown no token. Each takes one from the bucket of an address. Problems: rate_limit_exceeded. */
export type AddressLimits = {
  /** A request of a client that has no token yet. */
  address(req: IncomingMessage): void;
  /** A request for a file of a page: many make one page, and browsers keep them. Takes a part of a token of the same bucket. */
  file(req: IncomingMessage): void;
  failedTokens(req: IncomingMessage): TokenGuard;
  /** The address that a request counts for. */
  addressOf(req: IncomingMessage): string;
  /** Counts packets and requests that were refused. It refuses nothing itself. */
  refusals: RefusalCounter;
};

/** Weight of a file of a page; an ordinary request has 1. */
const FILE_WEIGHT = 0.1;

export function createAddressLimits(config: AddressLimitsConfig, clock: Clock): AddressLimits {
  const { factor, trustedProxies } = config;
  function client(req: IncomingMessage) {
    return addressOf(req, trustedProxies);
  }
  const address = createLimit({ policy: 'address', rate: config.address, factor, clock });
  const failedToken = createLimit({ policy: 'failed_token', rate: config.failedToken, factor, clock });
  return {
    address: (req) => address.take(client(req)),
    file(req) {
      const key = client(req);
      address.require(key);
      address.charge(key, FILE_WEIGHT);
    },
    failedTokens: guardTokens(failedToken, client),
    addressOf: client,
    refusals: createRefusalCounter({ rate: config.refusal, factor, clock }),
  };
}
