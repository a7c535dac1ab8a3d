import { int, listenPort, optionalListenPort, readEnv, rpcAddress, secret, str, url } from '@parley/kit/env';
import type { LogLevel } from '@parley/kit/log';
import { limitVariables, limitsOf } from './limits/config.ts';
import type { LimitsConfig } from './limits/index.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type Config = {
  httpPort: number;
  metricsPort: number;
  /** Where metrics are served; default: on all addresses. */
  internalHost: string | undefined;
  /** The address that clients know the gateway by, without a slash at its end. */
  publicUrl: string;
  /** Origins that browsers may call from; undefined: all. */
  allowedOrigins: readonly string[] | undefined;
  natsUrl: string;
  rpcSecret: string;
  identityAddress: string;
  messagingAddress: string;
  webhookAddress: string;
  exportAddress: string;
  contentAddress: string;
  /** The public address of the content service's HTTP port, without a slash at its end. */
  contentUrl: string;
  /** Signs download addresses. */
  contentSecret: string;
  announcementAddress: string;
  adminToken: string;
  /** The word of all names on the wire: URI scheme, media types, headers, subprotocol. */
  wireName: string;
  logLevel: LogLevel;
  otlpEndpoint: string | undefined;
  /** How many subjects the live plane of an app is divided into; the same in all processes. */
  liveShards: number;
  limits: LimitsConfig;
  /** How long a client may read nothing of a replay before its socket is closed. */
  replayStallMs: number;
  /** A live message carries at most this many entries of recipient_status. */
  maxStatusesInFrame: number;
  /** Pairs of a subscriber to presence and a watched user that one app may have in this process. */
  maxPresencePairs: number;
  /** Users whom one Presence.subscribe or Presence.sync may name, and whom one socket subscribes to by name. */
  maxPresenceIds: number;
};

export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      PARLEY_HTTP_PORT: listenPort({ default: 8080 }),
      PARLEY_METRICS_PORT: optionalListenPort({ default: -1 }),
      PARLEY_INTERNAL_HOST: str({ default: undefined }),
      PARLEY_PUBLIC_URL: url({ default: undefined }),
      PARLEY_ALLOWED_ORIGINS: str({ default: '*' }),
      PARLEY_NATS_URL: str(),
      PARLEY_RPC_SECRET: secret(),
      PARLEY_IDENTITY_ADDRESS: rpcAddress(),
      PARLEY_MESSAGING_ADDRESS: rpcAddress(),
      PARLEY_WEBHOOK_ADDRESS: rpcAddress(),
      PARLEY_EXPORT_ADDRESS: rpcAddress(),
      PARLEY_CONTENT_ADDRESS: rpcAddress(),
      PARLEY_CONTENT_URL: url(),
      PARLEY_CONTENT_SECRET: secret(),
      PARLEY_ANNOUNCEMENT_ADDRESS: rpcAddress(),
      PARLEY_ADMIN_TOKEN: secret(),
      PARLEY_WIRE_NAME: str({ default: 'svc' }),
      PARLEY_LOG_LEVEL: str({ choices: logLevels, default: 'info' }),
      PARLEY_OTLP_ENDPOINT: str({ default: undefined }),
      ...limitVariables,
      PARLEY_REPLAY_STALL_SECONDS: int({ min: 1, max: 600 })({ default: 10 }),
      PARLEY_LIVE_SHARDS: int({ min: 1, max: 64 })({ default: 1 }),
      PARLEY_MAX_STATUSES_IN_FRAME: int({ min: 1, max: 100_000 })({ default: 50 }),
      PARLEY_MAX_PRESENCE_PAIRS: int({ min: 1, max: 100_000_000 })({ default: 500_000 }),
      PARLEY_MAX_PRESENCE_IDS: int({ min: 1, max: 10_000 })({ default: 1_000 }),
    },
    source,
  );
  return Object.freeze({
    httpPort: env.PARLEY_HTTP_PORT,
    metricsPort: env.PARLEY_METRICS_PORT,
    internalHost: env.PARLEY_INTERNAL_HOST,
    publicUrl: (env.PARLEY_PUBLIC_URL ?? `http://localhost:${env.PARLEY_HTTP_PORT}`).replace(/\/+$/, ''),
    allowedOrigins: originsOf(env.PARLEY_ALLOWED_ORIGINS),
    natsUrl: env.PARLEY_NATS_URL,
    rpcSecret: env.PARLEY_RPC_SECRET,
    identityAddress: env.PARLEY_IDENTITY_ADDRESS,
    messagingAddress: env.PARLEY_MESSAGING_ADDRESS,
    webhookAddress: env.PARLEY_WEBHOOK_ADDRESS,
    exportAddress: env.PARLEY_EXPORT_ADDRESS,
    contentAddress: env.PARLEY_CONTENT_ADDRESS,
    contentUrl: env.PARLEY_CONTENT_URL.replace(/\/+$/, ''),
    contentSecret: env.PARLEY_CONTENT_SECRET,
    announcementAddress: env.PARLEY_ANNOUNCEMENT_ADDRESS,
    adminToken: env.PARLEY_ADMIN_TOKEN,
    wireName: env.PARLEY_WIRE_NAME,
    logLevel: env.PARLEY_LOG_LEVEL,
    otlpEndpoint: env.PARLEY_OTLP_ENDPOINT,
    limits: limitsOf(env),
    replayStallMs: env.PARLEY_REPLAY_STALL_SECONDS * 1000,
    liveShards: env.PARLEY_LIVE_SHARDS,
    maxStatusesInFrame: env.PARLEY_MAX_STATUSES_IN_FRAME,
    maxPresencePairs: env.PARLEY_MAX_PRESENCE_PAIRS,
    maxPresenceIds: env.PARLEY_MAX_PRESENCE_IDS,
  });
}

/** A comma separated list of origins; `*` anywhere in it allows all. */
function originsOf(list: string): readonly string[] | undefined {
  const origins = list.split(',').map((origin) => origin.trim());
  return origins.includes('*') ? undefined : origins.filter((origin) => origin !== '');
}
