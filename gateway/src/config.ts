import {
  baseUrl,
  bool,
  int,
  list,
  listenPort,
  num,
  optionalListenPort,
  rpcAddress,
  secret,
  secrets,
  secureOrigin,
  str,
} from '@parley/kit/runtime/config/env';
import { processSettings, sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { readSettings, setting, type ConfigOf } from '@parley/kit/runtime/config/settings';
import { isLoopbackName } from '@parley/kit/runtime/loopback';
import { oidcSettings } from '@parley/console-server/sign-in/oidc/settings';
import { limitSettings } from './admission/limits/settings.ts';

const origins = list<string>('an origin, or `*` for all', (entry) => entry);

export const settings = {
  ...processSettings,
  httpPort: setting('PARLEY_HTTP_PORT', listenPort({ default: 8080 }), 'Port of REST and WebSocket.'),
  publicUrl: {
    ...sharedSettings.publicUrl,
    validator: baseUrl({ default: undefined }),
  },
  allowedOrigins: setting(
    'PARLEY_ALLOWED_ORIGINS',
    origins({ default: ['*'] }),
    'Origins that browsers may call from.',
  ),
  identityAddress: sharedSettings.identityAddress,
  messagingAddress: sharedSettings.messagingAddress,
  pushAddress: setting('PARLEY_PUSH_ADDRESS', rpcAddress(), "The push service's gRPC address."),
  webhookAddress: setting('PARLEY_WEBHOOK_ADDRESS', rpcAddress(), "The webhook service's gRPC address."),
  exportAddress: setting('PARLEY_EXPORT_ADDRESS', rpcAddress(), "The export service's gRPC address."),
  contentAddress: setting('PARLEY_CONTENT_ADDRESS', rpcAddress(), "The content service's gRPC address."),
  announcementAddress: setting(
    'PARLEY_ANNOUNCEMENT_ADDRESS',
    rpcAddress(),
    "The announcement service's gRPC address.",
  ),
  contentUrl: sharedSettings.contentUrl,
  contentSecret: sharedSettings.contentSecret,
  adminToken: setting('PARLEY_ADMIN_TOKEN', secret(), 'Bearer token of the administration API.'),
  acceptedAdminTokens: setting(
    'PARLEY_ADMIN_ACCEPTED_TOKENS',
    secrets({ default: [] }),
    'Values besides `PARLEY_ADMIN_TOKEN` that callers may have while it is [rotated](operations.md#rotate-a-secret).',
  ),
  wireName: sharedSettings.wireName,
  liveShards: sharedSettings.liveShards,
  compression: setting(
    'PARLEY_COMPRESSION',
    bool({ default: true }),
    'Whether answers of more than 1024 bytes are compressed for clients that ask for it (zstd, br, gzip).',
  ),
  webSocketCompression: setting(
    'PARLEY_WEBSOCKET_COMPRESSION',
    bool({ default: false }),
    'Whether sockets use permessage-deflate with clients that offer it. A socket takes 12 KiB of memory without it, and 115 to 130 KiB with it once a packet of more than 1 KiB has passed (1,000 sockets measured).',
  ),
  limits: limitSettings,
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
  replayStallSeconds: setting(
    'PARLEY_REPLAY_STALL_SECONDS',
    int({ min: 1, max: 600 })({ default: 10 }),
    'Seconds that a client may read nothing of a replay before its socket is closed.',
  ),
  maxStatusesInFrame: setting(
    'PARLEY_MAX_STATUSES_IN_FRAME',
    int({ min: 1, max: 100_000 })({ default: 50 }),
    'Entries of `recipient_status` in a live message.',
  ),
  siteFolder: setting(
    'PARLEY_SITE_FOLDER',
    str({ default: undefined }),
    'Folder of the built documentation (`npm run site`), which is served at `/docs`. Without it there is `/docs/errors` alone.',
  ),
  siteLoginUrl: setting(
    'PARLEY_SITE_LOGIN_URL',
    baseUrl({ default: undefined }),
    'Login backend of a demonstration application, where readers of the REST reference log in to try requests. For laptops.',
  ),
  consoleFolder: setting(
    'PARLEY_CONSOLE_FOLDER',
    str({ default: undefined }),
    'Folder of the built console, which is served at `/console/`. Without it there is sign-in alone.',
  ),
  consoleUrl: setting(
    'PARLEY_CONSOLE_URL',
    secureOrigin({ default: undefined }),
    'Origin by which browsers reach the console. Default: that of `PARLEY_PUBLIC_URL` if it is of this machine; otherwise there is no console.',
  ),
  consolePort: setting(
    'PARLEY_CONSOLE_PORT',
    optionalListenPort({ default: -1 }),
    'Port of the console and the administration API; -1: none.',
  ),
  administrationOnPublicPort: setting(
    'PARLEY_ADMINISTRATION_ON_PUBLIC_PORT',
    bool({ default: false }),
    'Whether `PARLEY_HTTP_PORT` serves the administration API too, and the console to browsers of this machine. For laptops.',
  ),
  oidc: oidcSettings,
  maxPresencePairs: setting(
    'PARLEY_MAX_PRESENCE_PAIRS',
    int({ min: 1, max: 100_000_000 })({ default: 500_000 }),
    'Pairs of a subscriber to presence and a watched user that one application may have in this process.',
  ),
  maxPresenceIds: setting(
    'PARLEY_MAX_PRESENCE_IDS',
    int({ min: 1, max: 10_000 })({ default: 1_000 }),
    'Users whom one `Presence.subscribe` or `Presence.sync` may name, and whom one socket subscribes to by name.',
  ),
};

type Read = ConfigOf<typeof settings>;

/** `allowedOrigins`: undefined where all origins are allowed. */
export type Config = Omit<Read, 'publicUrl' | 'allowedOrigins'> &
  Readonly<{ publicUrl: string; allowedOrigins: readonly string[] | undefined }>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const read = readSettings(settings, source);
  const publicUrl = read.publicUrl ?? `http://localhost:${read.httpPort}`;
  const consoleUrl = read.consoleUrl ?? localOrigin(publicUrl);
  const { allowedOrigins } = read;
  // The console's pages call the server API of the public address.
  const origins = consoleUrl === undefined ? allowedOrigins : [...allowedOrigins, consoleUrl];
  return Object.freeze({
    ...read,
    publicUrl,
    consoleUrl,
    allowedOrigins: allowedOrigins.includes('*') ? undefined : origins,
  });
}

function localOrigin(address: string): string | undefined {
  const { hostname, origin } = new URL(address);
  return isLoopbackName(hostname) ? origin : undefined;
}
