import { int, readEnv, secret, str } from '@parley/kit/env';
import { serviceConfig, serviceEnv, type ServiceConfig } from '@parley/kit/service-env';

export type Config = ServiceConfig &
  Readonly<{
    nonceSecret: string;
    wireName: string;
    liveShards: number;
  }>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      ...serviceEnv,
      PARLEY_NONCE_SECRET: secret(),
      PARLEY_WIRE_NAME: str({ default: 'svc' }),
      PARLEY_LIVE_SHARDS: int({ min: 1, max: 64 })({ default: 1 }),
    },
    source,
  );
  return Object.freeze({
    ...serviceConfig(env),
    nonceSecret: env.PARLEY_NONCE_SECRET,
    wireName: env.PARLEY_WIRE_NAME,
    liveShards: env.PARLEY_LIVE_SHARDS,
  });
}
