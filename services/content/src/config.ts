import { blobEnv, blobSettings, type BlobSettings } from '@parley/blobs/settings';
import { int, listenPort, optionalListenPort, readEnv, rpcAddress, secret, str, url } from '@parley/kit/env';
import type { LogLevel } from '@parley/kit/log';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type Config = Readonly<{
  rpcPort: number;
  /** Of uploads and downloads. */
  httpPort: number;
  metricsPort: number;
  databaseUrl: string;
  poolSize: number;
  natsUrl: string;
  rpcSecret: string;
  messagingAddress: string;
  /** Under which clients reach the HTTP port, without a slash at its end. */
  contentUrl: string;
  /** Signs download addresses; the same in all processes that show content. */
  contentSecret: string;
  /** The gateway's public address, without a slash at its end. */
  publicUrl: string;
  wireName: string;
  blobs: BlobSettings;
  maxContentBytes: number;
  /** Unfinished uploads of one user that moved lately. */
  maxUploadsPerUser: number;
  /** Uploads that this process receives at the same time. */
  maxTransfers: number;
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
      PARLEY_HTTP_PORT: listenPort({ default: 0 }),
      PARLEY_METRICS_PORT: optionalListenPort({ default: -1 }),
      PARLEY_DATABASE_URL: url(),
      PARLEY_DATABASE_POOL_SIZE: int({ min: 2, max: 500 })({ default: 10 }),
      PARLEY_NATS_URL: str(),
      PARLEY_RPC_SECRET: secret(),
      PARLEY_MESSAGING_ADDRESS: rpcAddress(),
      PARLEY_PUBLIC_URL: url(),
      PARLEY_WIRE_NAME: str({ default: 'svc' }),
      PARLEY_MAX_CONTENT_BYTES: int({ min: 1, max: 40 * 1024 ** 3 })({ default: 2 * 1024 ** 3 }),
      PARLEY_MAX_UPLOADS_PER_USER: int({ min: 1 })({ default: 32 }),
      PARLEY_MAX_TRANSFERS: int({ min: 1 })({ default: 64 }),
      PARLEY_STREAM_REPLICAS: int({ min: 1, max: 5 })({ default: 1 }),
      PARLEY_STREAM_MAX_BYTES: int({ min: 1_048_576 })({ default: 1_073_741_824 }),
      PARLEY_LOG_LEVEL: str({ choices: logLevels, default: 'info' }),
      PARLEY_OTLP_ENDPOINT: str({ default: undefined }),
    },
    source,
  );
  return Object.freeze({
    rpcPort: env.PARLEY_RPC_PORT,
    httpPort: env.PARLEY_HTTP_PORT,
    metricsPort: env.PARLEY_METRICS_PORT,
    databaseUrl: env.PARLEY_DATABASE_URL,
    poolSize: env.PARLEY_DATABASE_POOL_SIZE,
    natsUrl: env.PARLEY_NATS_URL,
    rpcSecret: env.PARLEY_RPC_SECRET,
    messagingAddress: env.PARLEY_MESSAGING_ADDRESS,
    contentUrl: env.PARLEY_CONTENT_URL.replace(/\/+$/, ''),
    contentSecret: env.PARLEY_CONTENT_SECRET,
    publicUrl: env.PARLEY_PUBLIC_URL.replace(/\/+$/, ''),
    wireName: env.PARLEY_WIRE_NAME,
    blobs: blobSettings(env),
    maxContentBytes: env.PARLEY_MAX_CONTENT_BYTES,
    maxUploadsPerUser: env.PARLEY_MAX_UPLOADS_PER_USER,
    maxTransfers: env.PARLEY_MAX_TRANSFERS,
    streamReplicas: env.PARLEY_STREAM_REPLICAS,
    streamMaxBytes: env.PARLEY_STREAM_MAX_BYTES,
    logLevel: env.PARLEY_LOG_LEVEL,
    otlpEndpoint: env.PARLEY_OTLP_ENDPOINT,
  });
}
