import {
  baseUrl,
  int,
  list,
  listenPort,
  num,
  optionalListenPort,
  rpcAddress,
  secret,
  secrets,
  str,
  url,
} from './env.ts';
import { cellPlan, ONE_CELL } from './cell-plan.ts';
import type { LogLevel } from '../telemetry/log.ts';
import { setting, type ConfigOf } from './settings.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Number of connections in a pool. */
export const poolSize = int({ min: 2, max: 500 });

/** Settings of every process of the platform. A process with only these settings just calls services. */
export const callerSettings = {
  metricsPort: setting(
    'PARLEY_METRICS_PORT',
    optionalListenPort({ default: -1 }),
    'Port of `/metrics` and the probes.',
  ),
  internalHost: setting(
    'PARLEY_INTERNAL_HOST',
    str({ default: undefined }),
    'Address on which calls and metrics are served. Default: all addresses.',
  ),
  tlsFolder: setting(
    'PARLEY_TLS_FOLDER',
    str({ default: undefined }),
    'Folder with `ca.crt`, `tls.crt` and `tls.key` (PEM). With it processes call each other by [mutual TLS](operations.md#tls): all of them have one, or none. Default: calls without TLS.',
  ),
  rpcSecret: setting(
    'PARLEY_RPC_SECRET',
    secret(),
    'Authenticates processes to each other. The same in all of them.',
  ),
  logLevel: setting(
    'PARLEY_LOG_LEVEL',
    str<LogLevel>({ choices: LOG_LEVELS, default: 'info' }),
    'The least severe log lines that are written.',
  ),
  otlpEndpoint: setting(
    'PARLEY_OTLP_ENDPOINT',
    str({ default: undefined }),
    'OpenTelemetry collector (OTLP over HTTP) that traces are sent to. Default: no traces.',
  ),
};

/** Settings of a process that is connected to NATS. */
export const processSettings = {
  ...callerSettings,
  natsUrl: setting(
    'PARLEY_NATS_URL',
    str(),
    'NATS servers: `nats://host:port`, with TLS `tls://host:port`, or a comma separated list of such.',
  ),
  natsUser: setting(
    'PARLEY_NATS_USER',
    str({ default: undefined }),
    '[User](operations.md#users-of-nats) at NATS. Default: the name of the process, such as `messaging`, and `migration` for its migration.',
  ),
  natsPassword: setting(
    'PARLEY_NATS_PASSWORD',
    secret({ default: undefined }),
    'Password of that user. Without one the process connects without a user.',
  ),
  natsTlsFolder: setting(
    'PARLEY_NATS_TLS_FOLDER',
    str({ default: undefined }),
    'Folder with `ca.crt` for NATS with [TLS](operations.md#tls), and with `tls.crt` and `tls.key` where the servers ask for a certificate. Default: `PARLEY_TLS_FOLDER` for `tls://`.',
  ),
};

/** Settings of every service behind the gateway; a service that wants another default writes its own after them. */
export const serviceSettings = {
  ...processSettings,
  rpcPort: setting(
    'PARLEY_RPC_PORT',
    listenPort({ default: 0 }),
    "Port of the service's gRPC calls; 0: any free port.",
  ),
  databaseUrl: setting(
    'PARLEY_DATABASE_URL',
    url(),
    'Postgres, `postgres://user:password@host:port/database`; [with TLS](operations.md#tls) `?sslmode=verify-full&sslrootcert=/stores/ca.crt` after it.',
  ),
  poolSize: setting(
    'PARLEY_DATABASE_POOL_SIZE',
    poolSize({ default: 10 }),
    'Database connections of this process.',
  ),
  acceptedRpcSecrets: setting(
    'PARLEY_RPC_ACCEPTED_SECRETS',
    secrets({ default: [] }),
    'Values besides `PARLEY_RPC_SECRET` that callers may have while it is [rotated](operations.md#rotate-a-secret).',
  ),
  streamReplicas: setting(
    'PARLEY_STREAM_REPLICAS',
    int({ min: 1, max: 5 })({ default: 1 }),
    'NATS servers that keep each event.',
  ),
  streamMaxBytes: setting(
    'PARLEY_STREAM_MAX_BYTES',
    int({ min: 1024 ** 2 })({ default: 1024 ** 3 }),
    'Bytes of events that NATS keeps.',
  ),
};

export type CallerConfig = ConfigOf<typeof callerSettings>;
export type ProcessConfig = ConfigOf<typeof processSettings>;
export type ServiceConfig = ConfigOf<typeof serviceSettings>;

/** The push services of Chrome and Edge, Firefox, Safari, and of Windows. */
const PUSH_WEB_HOSTS = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

const hostPatterns = list<string>('a host, or `*.` and a domain', (text) =>
  /^(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+$/.test(text) ? text : undefined,
);

/** Settings shared by several processes: declared once here, and used by name. */
export const sharedSettings = {
  cells: setting(
    'PARLEY_CELLS',
    cellPlan({ default: ONE_CELL }),
    "[Cells](scaling.md#cells) of messaging's database. The same in messaging and identity, raised in messaging first.",
  ),
  identityAddress: setting('PARLEY_IDENTITY_ADDRESS', rpcAddress(), "The identity service's gRPC address."),
  messagingAddress: setting(
    'PARLEY_MESSAGING_ADDRESS',
    rpcAddress(),
    "The messaging service's gRPC address.",
  ),
  contentAddress: setting('PARLEY_CONTENT_ADDRESS', rpcAddress(), "The content service's gRPC address."),
  pushAddress: setting('PARLEY_PUSH_ADDRESS', rpcAddress(), "The push service's gRPC address."),
  publicUrl: setting('PARLEY_PUBLIC_URL', baseUrl(), 'The address by which clients reach the gateway.'),
  contentUrl: setting(
    'PARLEY_CONTENT_URL',
    baseUrl(),
    "The address by which clients reach the content service's HTTP port.",
  ),
  contentSecret: setting(
    'PARLEY_CONTENT_SECRET',
    secret(),
    'Signs download addresses. The same in all processes that have it.',
  ),
  acceptedContentSecrets: setting(
    'PARLEY_CONTENT_ACCEPTED_SECRETS',
    secrets({ default: [] }),
    'Values besides `PARLEY_CONTENT_SECRET` whose addresses are served while it is [rotated](operations.md#rotate-a-secret).',
  ),
  wireName: setting(
    'PARLEY_WIRE_NAME',
    str({ default: 'svc' }),
    'The word in all names of the protocol: URI scheme, media types, headers, WebSocket subprotocol. The same in all processes.',
  ),
  liveShards: setting(
    'PARLEY_LIVE_SHARDS',
    int({ min: 1, max: 64 })({ default: 1 }),
    'NATS subjects among which the live events of one application are divided. The same in all processes.',
  ),
  pushWebHosts: setting(
    'PARLEY_PUSH_WEB_HOSTS',
    hostPatterns({ default: PUSH_WEB_HOSTS }),
    'Push services of browsers that devices may be registered of and pushes are sent to; `*.` stands for all hosts below a domain. The same in all processes.',
  ),
  rateLimitFactor: setting(
    'PARLEY_RATE_LIMIT_FACTOR',
    num({ min: 0, max: 1_000_000 })({ default: 1 }),
    'Multiplies every rate limit and burst; 0: no rate is limited.',
  ),
  slowRequestMs: setting(
    'PARLEY_SLOW_REQUEST_MS',
    int({ min: 1, max: 600_000 })({ default: 1_000 }),
    'Milliseconds from which on a request is logged as slow.',
  ),
  requestLogShare: setting(
    'PARLEY_REQUEST_LOG_SHARE',
    num({ min: 0, max: 1 })({ default: 0 }),
    'Share of the requests that is logged besides those that were refused, failed or were slow: 0.01 is one in a hundred.',
  ),
  trustedProxies: setting(
    'PARLEY_TRUSTED_PROXIES',
    int({ min: 0, max: 10 })({ default: 0 }),
    'Proxies in front of this process that append to `X-Forwarded-For`.',
  ),
};
