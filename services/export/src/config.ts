import { blobEnv, blobSettings, type BlobSettings } from '@parley/blobs/settings';
import { int, listenPort, optionalListenPort, readEnv, rpcAddress, secret, str, url } from '@parley/kit/env';
import type { LogLevel } from '@parley/kit/log';
import { tmpdir } from 'node:os';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type Config = Readonly<{
  rpcPort: number;
  metricsPort: number;
  databaseUrl: string;
  poolSize: number;
  natsUrl: string;
  rpcSecret: string;
  messagingAddress: string;
  /** The gateway's public address, without a slash at its end: archives name it. */
  publicUrl: string;
  wireName: string;
  blobs: BlobSettings;
  /** Where the encrypted beginnings of archives are kept while they are written. */
  spoolFolder: string;
  ttlDays: number;
  /** How long a download address is good for. */
  downloadSeconds: number;
  /** Exports that this process makes at the same time. */
  concurrency: number;
  streamReplicas: number;
  streamMaxBytes: number;
  logLevel: LogLevel;
  otlpEndpoint: string | undefined;
}>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      ...blobEnv,
      PARLEY_RPC_PORT: listenPort({ default: 0 }),
      PARLEY_METRICS_PORT: optionalListenPort({ default: -1 }),
      PARLEY_DATABASE_URL: url(),
      PARLEY_DATABASE_POOL_SIZE: int({ min: 2, max: 500 })({ default: 10 }),
      PARLEY_NATS_URL: str(),
      PARLEY_RPC_SECRET: secret(),
      PARLEY_MESSAGING_ADDRESS: rpcAddress(),
      PARLEY_PUBLIC_URL: url(),
      PARLEY_WIRE_NAME: str({ default: 'svc' }),
      PARLEY_EXPORT_SPOOL_FOLDER: str({ default: tmpdir() }),
      PARLEY_EXPORT_TTL_DAYS: int({ min: 1, max: 3650 })({ default: 30 }),
      PARLEY_EXPORT_DOWNLOAD_SECONDS: int({ min: 10, max: 604_800 })({ default: 3600 }),
      PARLEY_EXPORT_CONCURRENCY: int({ min: 1, max: 64 })({ default: 2 }),
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
    messagingAddress: env.PARLEY_MESSAGING_ADDRESS,
    publicUrl: env.PARLEY_PUBLIC_URL.replace(/\/+$/, ''),
    wireName: env.PARLEY_WIRE_NAME,
    blobs: blobSettings(env),
    spoolFolder: env.PARLEY_EXPORT_SPOOL_FOLDER,
    ttlDays: env.PARLEY_EXPORT_TTL_DAYS,
    downloadSeconds: env.PARLEY_EXPORT_DOWNLOAD_SECONDS,
    concurrency: env.PARLEY_EXPORT_CONCURRENCY,
    streamReplicas: env.PARLEY_STREAM_REPLICAS,
    streamMaxBytes: env.PARLEY_STREAM_MAX_BYTES,
    logLevel: env.PARLEY_LOG_LEVEL,
    otlpEndpoint: env.PARLEY_OTLP_ENDPOINT,
  });
}
