import { int, readEnv, rpcAddress } from '@parley/kit/env';
import { poolSize, serviceConfig, serviceEnv, type ServiceConfig } from '@parley/kit/service-env';

export type Config = ServiceConfig &
  Readonly<{
    identityAddress: string;
    /** Connections that only sends and receipts use, beside the `poolSize` of everything else. */
    sendPoolSize: number;
    /** How many subjects the live plane of an app is divided into; the same in all processes. */
    liveShards: number;
    maxParticipants: number;
    /** That wait in one conversation. */
    maxScheduledMessages: number;
  }>;

export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      ...serviceEnv,
      PARLEY_DATABASE_POOL_SIZE: poolSize({ default: 16 }),
      PARLEY_SEND_POOL_SIZE: poolSize({ default: 8 }),
      PARLEY_IDENTITY_ADDRESS: rpcAddress(),
      PARLEY_LIVE_SHARDS: int({ min: 1, max: 64 })({ default: 1 }),
      PARLEY_MAX_PARTICIPANTS: int({ min: 1, max: 100_000 })({ default: 250 }),
      PARLEY_MAX_SCHEDULED_MESSAGES: int({ min: 1, max: 1_000_000 })({ default: 1_000 }),
    },
    source,
  );
  return Object.freeze({
    ...serviceConfig(env),
    identityAddress: env.PARLEY_IDENTITY_ADDRESS,
    sendPoolSize: env.PARLEY_SEND_POOL_SIZE,
    liveShards: env.PARLEY_LIVE_SHARDS,
    maxParticipants: env.PARLEY_MAX_PARTICIPANTS,
    maxScheduledMessages: env.PARLEY_MAX_SCHEDULED_MESSAGES,
  });
}
