import { int, num } from '@parley/kit/env';
import { concurrencyVariables, concurrencyOf } from './concurrency-config.ts';
import type { LimitsConfig } from './index.ts';

const figure = int({ min: 1, max: 1_000_000_000 });

/** SPEC completions 9: every figure, and what multiplies them all. */
export const limitVariables = {
  PARLEY_RATE_LIMIT_FACTOR: num({ min: 0, max: 1_000_000 })({ default: 1 }),
  PARLEY_RATE_LIMIT_SESSION: figure({ default: 100 }),
  PARLEY_RATE_LIMIT_SESSION_BURST: figure({ default: 500 }),
  PARLEY_RATE_LIMIT_ACCESS_TOKEN: figure({ default: 1_000 }),
  PARLEY_RATE_LIMIT_ACCESS_TOKEN_BURST: figure({ default: 5_000 }),
  PARLEY_RATE_LIMIT_ADDRESS: figure({ default: 20 }),
  PARLEY_RATE_LIMIT_ADDRESS_BURST: figure({ default: 100 }),
  PARLEY_RATE_LIMIT_FAILED_TOKEN: figure({ default: 20 }),
  PARLEY_RATE_LIMIT_FAILED_TOKEN_BURST: figure({ default: 100 }),
  PARLEY_RATE_LIMIT_UPGRADE: figure({ default: 2 }),
  PARLEY_RATE_LIMIT_UPGRADE_BURST: figure({ default: 30 }),
  PARLEY_RATE_LIMIT_UPGRADE_ADDRESS: figure({ default: 50 }),
  PARLEY_RATE_LIMIT_UPGRADE_ADDRESS_BURST: figure({ default: 500 }),
  ...concurrencyVariables,
  PARLEY_MAX_SOCKETS_PER_USER: int({ min: 1, max: 100_000 })({ default: 20 }),
  PARLEY_TRUSTED_PROXIES: int({ min: 0, max: 10 })({ default: 0 }),
};

type Figures = { [Name in keyof typeof limitVariables]: number };

export function limitsOf(env: Figures): LimitsConfig {
  return {
    factor: env.PARLEY_RATE_LIMIT_FACTOR,
    session: { perSecond: env.PARLEY_RATE_LIMIT_SESSION, burst: env.PARLEY_RATE_LIMIT_SESSION_BURST },
    accessToken: {
      perSecond: env.PARLEY_RATE_LIMIT_ACCESS_TOKEN,
      burst: env.PARLEY_RATE_LIMIT_ACCESS_TOKEN_BURST,
    },
    address: { perSecond: env.PARLEY_RATE_LIMIT_ADDRESS, burst: env.PARLEY_RATE_LIMIT_ADDRESS_BURST },
    failedToken: {
      perSecond: env.PARLEY_RATE_LIMIT_FAILED_TOKEN,
      burst: env.PARLEY_RATE_LIMIT_FAILED_TOKEN_BURST,
    },
    upgrade: { perSecond: env.PARLEY_RATE_LIMIT_UPGRADE, burst: env.PARLEY_RATE_LIMIT_UPGRADE_BURST },
    upgradeAddress: {
      perSecond: env.PARLEY_RATE_LIMIT_UPGRADE_ADDRESS,
      burst: env.PARLEY_RATE_LIMIT_UPGRADE_ADDRESS_BURST,
    },
    concurrency: concurrencyOf(env),
    maxSocketsPerUser: env.PARLEY_MAX_SOCKETS_PER_USER,
    trustedProxies: env.PARLEY_TRUSTED_PROXIES,
  };
}
