import { int, listenPort, optionalListenPort, readEnv, rpcAddress, secret, str, url } from '@parley/kit/env';
import type { LogLevel } from '@parley/kit/log';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type Config = {
  rpcPort: number;
  metricsPort: number;
  databaseUrl: string;
  poolSize: number;
  natsUrl: string;
  rpcSecret: string;
  identityAddress: string;
  logLevel: LogLevel;
  otlpEndpoint: string | undefined;
  /** How many subjects the live plane of an app is divided into; the same in all processes. */
  liveShards: number;
  maxParticipants: number;
  streamReplicas: number;
  streamMaxBytes: number;
};

export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      PARLEY_RPC_PORT: listenPort({ default: 0 }),
      PARLEY_METRICS_PORT: optionalListenPort({ default: -1 }),
      PARLEY_DATABASE_URL: url(),
      PARLEY_DATABASE_POOL_SIZE: int({ min: 2, max: 500 })({ default: 16 }),
      PARLEY_NATS_URL: str(),
      PARLEY_RPC_SECRET: secret(),
      PARLEY_IDENTITY_ADDRESS: rpcAddress(),
      PARLEY_LOG_LEVEL: str({ choices: logLevels, default: 'info' }),
      PARLEY_OTLP_ENDPOINT: str({ default: undefined }),
      PARLEY_LIVE_SHARDS: int({ min: 1, max: 64 })({ default: 1 }),
      PARLEY_MAX_PARTICIPANTS: int({ min: 1, max: 100_000 })({ default: 250 }),
      PARLEY_STREAM_REPLICAS: int({ min: 1, max: 5 })({ default: 1 }),
      PARLEY_STREAM_MAX_BYTES: int({ min: 1_048_576 })({ default: 1_073_741_824 }),
    },
    source,
  );
  return Object.freeze({
    rpcPort: env.PARLEY_RPC_PORT,
    metricsPort: env.PARLEY_METRICS_PORT,
    databaseUrl: env.PARLEY_DATABASE_URL,
    poolSize: env.PARLEY_DATABASE_POOL_SIZE,
    natsUrl: env.PARLEY_NATS_URL,
    rpcSecret: env.PARLEY_RPC_SECRET,
    identityAddress: env.PARLEY_IDENTITY_ADDRESS,
    logLevel: env.PARLEY_LOG_LEVEL,
    otlpEndpoint: env.PARLEY_OTLP_ENDPOINT,
    liveShards: env.PARLEY_LIVE_SHARDS,
    maxParticipants: env.PARLEY_MAX_PARTICIPANTS,
    streamReplicas: env.PARLEY_STREAM_REPLICAS,
    streamMaxBytes: env.PARLEY_STREAM_MAX_BYTES,
  });
}
