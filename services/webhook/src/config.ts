import {
  bool,
  int,
  listenPort,
  optionalListenPort,
  readEnv,
  rpcAddress,
  secret,
  str,
  url,
} from '@parley/kit/env';
import type { LogLevel } from '@parley/kit/log';
import { parsePorts, parseRanges, type AddressRange } from './target/settings.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type Config = Readonly<{
  rpcPort: number;
  metricsPort: number;
  databaseUrl: string;
  poolSize: number;
  natsUrl: string;
  rpcSecret: string;
  messagingAddress: string;
  /** The address that clients know the gateway by, without a slash at its end. */
  publicUrl: string;
  /** The public address of the content service's HTTP port, without a slash at its end. */
  contentUrl: string;
  /** Signs download addresses. */
  contentSecret: string;
  wireName: string;
  /** Seals the secrets of webhooks in the database. */
  encryptionKey: string;
  /** Whether targets may be http:// addresses. */
  allowHttp: boolean;
  /** Networks that targets may be in although they are not public, at any port. */
  allowedRanges: readonly AddressRange[];
  /** Ports of public targets besides 443, and 80 where http is allowed. */
  allowedPorts: readonly number[];
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
      PARLEY_DATABASE_POOL_SIZE: int({ min: 4, max: 200 })({ default: 10 }),
      PARLEY_NATS_URL: str(),
      PARLEY_RPC_SECRET: secret(),
      PARLEY_MESSAGING_ADDRESS: rpcAddress(),
      PARLEY_PUBLIC_URL: url(),
      PARLEY_CONTENT_URL: url(),
      PARLEY_CONTENT_SECRET: secret(),
      PARLEY_WIRE_NAME: str({ default: 'svc' }),
      PARLEY_WEBHOOK_ENCRYPTION_KEY: secret(),
      PARLEY_WEBHOOK_ALLOW_HTTP: bool({ default: false }),
      PARLEY_WEBHOOK_ALLOWED_CIDRS: parseRanges({ default: [] }),
      PARLEY_WEBHOOK_ALLOWED_PORTS: parsePorts({ default: [] }),
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
    contentUrl: env.PARLEY_CONTENT_URL.replace(/\/+$/, ''),
    contentSecret: env.PARLEY_CONTENT_SECRET,
    wireName: env.PARLEY_WIRE_NAME,
    encryptionKey: env.PARLEY_WEBHOOK_ENCRYPTION_KEY,
    allowHttp: env.PARLEY_WEBHOOK_ALLOW_HTTP,
    allowedRanges: env.PARLEY_WEBHOOK_ALLOWED_CIDRS,
    allowedPorts: env.PARLEY_WEBHOOK_ALLOWED_PORTS,
    streamReplicas: env.PARLEY_STREAM_REPLICAS,
    streamMaxBytes: env.PARLEY_STREAM_MAX_BYTES,
    logLevel: env.PARLEY_LOG_LEVEL,
    otlpEndpoint: env.PARLEY_OTLP_ENDPOINT,
  });
}
