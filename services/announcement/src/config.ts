import { int, readEnv, rpcAddress } from '@parley/kit/env';
import { serviceConfig, serviceEnv, type ServiceConfig } from '@parley/kit/service-env';

export type Config = ServiceConfig &
  Readonly<{
    identityAddress: string;
    liveShards: number;
  }>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      ...serviceEnv,
      PARLEY_IDENTITY_ADDRESS: rpcAddress(),
      PARLEY_LIVE_SHARDS: int({ min: 1, max: 64 })({ default: 1 }),
    },
    source,
  );
  return Object.freeze({
    ...serviceConfig(env),
    identityAddress: env.PARLEY_IDENTITY_ADDRESS,
    liveShards: env.PARLEY_LIVE_SHARDS,
  });
}
