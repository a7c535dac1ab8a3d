import { int, listenPort, optionalListenPort, readEnv, rpcAddress, secret, str, url } from '@parley/kit/env';
import type { LogLevel } from '@parley/kit/log';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type Config = Readonly<{
  rpcPort: number;
  metricsPort: number;
  databaseUrl: string;
  poolSize: number;
  natsUrl: string;
  rpcSecret: string;
  identityAddress: string;
  liveShards: number;
  streamReplicas: number;
  streamMaxBytes: number;
  logLevel: LogLevel;
  otlpEndpoint: string | undefined;
}>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      PARLEY_RPC_PORT: listenPort({ default: 0 }),
      PARLEY_METRICS_PORT: optionalListenPort({ default: -1 }),
      PARLEY_DATABASE_URL: url(),
      PARLEY_DATABASE_POOL_SIZE: int({ min: 2, max: 200 })({ default: 10 }),
      PARLEY_NATS_URL: str(),
      PARLEY_RPC_SECRET: secret(),
      PARLEY_IDENTITY_ADDRESS: rpcAddress(),
      PARLEY_LIVE_SHARDS: int({ min: 1, max: 64 })({ default: 1 }),
      PARLEY_STREAM_REPLICAS: int({ min: 1, max: 5 })({ default: 1 }),
      PARLEY_STREAM_MAX_BYTES: int({ min: 1_048_576 })({ default: 1_073_741_824 }),
      PARLEY_LOG_LEVEL: str({ choices: logLevels, default: 'info' }),
      PARLEY_OTLP_ENDPOINT: str({ default: undefined }),
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
    liveShards: env.PARLEY_LIVE_SHARDS,
    streamReplicas: env.PARLEY_STREAM_REPLICAS,
    streamMaxBytes: env.PARLEY_STREAM_MAX_BYTES,
    logLevel: env.PARLEY_LOG_LEVEL,
    otlpEndpoint: env.PARLEY_OTLP_ENDPOINT,
  });
}
