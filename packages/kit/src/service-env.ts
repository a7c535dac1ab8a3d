import type { CleanedEnv } from 'envalid';
import { int, listenPort, optionalListenPort, secret, str, url } from './env.ts';
import type { LogLevel } from './log.ts';

/** What every service is told. */
export type ServiceConfig = Readonly<{
  rpcPort: number;
  /** -1: nothing is served. */
  metricsPort: number;
  /** Where calls and metrics are served; default: on all addresses. */
  internalHost?: string | undefined;
  databaseUrl: string;
  poolSize: number;
  natsUrl: string;
  rpcSecret: string;
  streamReplicas: number;
  streamMaxBytes: number;
  logLevel: LogLevel;
  otlpEndpoint: string | undefined;
}>;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const poolSize = int({ min: 2, max: 500 });

/** The variables of every service; a service that wants another default writes its own behind them. */
export const serviceEnv = {
  PARLEY_RPC_PORT: listenPort({ default: 0 }),
  PARLEY_METRICS_PORT: optionalListenPort({ default: -1 }),
  PARLEY_INTERNAL_HOST: str({ default: undefined }),
  PARLEY_DATABASE_URL: url(),
  PARLEY_DATABASE_POOL_SIZE: poolSize({ default: 10 }),
  PARLEY_NATS_URL: str(),
  PARLEY_RPC_SECRET: secret(),
  PARLEY_STREAM_REPLICAS: int({ min: 1, max: 5 })({ default: 1 }),
  PARLEY_STREAM_MAX_BYTES: int({ min: 1024 ** 2 })({ default: 1024 ** 3 }),
  PARLEY_LOG_LEVEL: str<LogLevel>({ choices: logLevels, default: 'info' }),
  PARLEY_OTLP_ENDPOINT: str({ default: undefined }),
};

export function serviceConfig(env: Readonly<CleanedEnv<typeof serviceEnv>>): ServiceConfig {
  return {
    rpcPort: env.PARLEY_RPC_PORT,
    metricsPort: env.PARLEY_METRICS_PORT,
    internalHost: env.PARLEY_INTERNAL_HOST,
    databaseUrl: env.PARLEY_DATABASE_URL,
    poolSize: env.PARLEY_DATABASE_POOL_SIZE,
    natsUrl: env.PARLEY_NATS_URL,
    rpcSecret: env.PARLEY_RPC_SECRET,
    streamReplicas: env.PARLEY_STREAM_REPLICAS,
    streamMaxBytes: env.PARLEY_STREAM_MAX_BYTES,
    logLevel: env.PARLEY_LOG_LEVEL,
    otlpEndpoint: env.PARLEY_OTLP_ENDPOINT,
  };
}
