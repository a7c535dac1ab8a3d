import { int, readEnv, secret, str } from '@parley/kit/env';
import { serviceConfig, serviceEnv, type ServiceConfig } from '@parley/kit/service-env';

export type Config = ServiceConfig &
  Readonly<{
    nonceSecret: string;
    wireName: string;
    liveShards: number;
    maxBlocksPerUser: number;
    maxPushTokensPerUser: number;
  }>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      ...serviceEnv,
      PARLEY_NONCE_SECRET: secret(),
      PARLEY_WIRE_NAME: str({ default: 'svc' }),
      PARLEY_LIVE_SHARDS: int({ min: 1, max: 64 })({ default: 1 }),
      PARLEY_MAX_BLOCKS_PER_USER: int({ min: 1, max: 1_000_000 })({ default: 5_000 }),
      PARLEY_MAX_PUSH_TOKENS_PER_USER: int({ min: 1, max: 100_000 })({ default: 100 }),
    },
    source,
  );
  return Object.freeze({
    ...serviceConfig(env),
    nonceSecret: env.PARLEY_NONCE_SECRET,
    wireName: env.PARLEY_WIRE_NAME,
    liveShards: env.PARLEY_LIVE_SHARDS,
    maxBlocksPerUser: env.PARLEY_MAX_BLOCKS_PER_USER,
    maxPushTokensPerUser: env.PARLEY_MAX_PUSH_TOKENS_PER_USER,
  });
}
