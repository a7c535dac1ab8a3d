import { blobEnv, blobSettings, type BlobSettings } from '@parley/blobs/settings';
import type { Rate } from '@parley/kit/buckets';
import { bool, int, listenPort, num, readEnv, rpcAddress, str, url } from '@parley/kit/env';
import { serviceConfig, serviceEnv, type ServiceConfig } from '@parley/kit/service-env';

export type Config = ServiceConfig &
  Readonly<{
    /** Of uploads and downloads. */
    httpPort: number;
    messagingAddress: string;
    /** Under which clients reach the HTTP port, without a slash at its end. */
    contentUrl: string;
    /** Signs download addresses; the same in all processes that show content. */
    contentSecret: string;
    /** The gateway's public address, without a slash at its end. */
    publicUrl: string;
    wireName: string;
    blobs: BlobSettings;
    /** Downloads go through this service instead of being redirected to the store. */
    streamDownloads: boolean;
    maxContentBytes: number;
    /** Unfinished uploads of one user that moved lately. */
    maxUploadsPerUser: number;
    /** Uploads that this process receives at the same time. */
    maxTransfers: number;
    /** Multiplies every rate and burst; 0: no rate is limited. */
    rateLimitFactor: number;
    /** Of an address: requests with an upload token that is wrong. */
    uploadTokenRate: Rate;
    /** Proxies in front that append to X-Forwarded-For: the client's address is what the first of them saw. */
    trustedProxies: number;
  }>;

const rateFigure = int({ min: 1, max: 1_000_000_000 });

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      ...serviceEnv,
      ...blobEnv,
      PARLEY_HTTP_PORT: listenPort({ default: 0 }),
      PARLEY_MESSAGING_ADDRESS: rpcAddress(),
      PARLEY_PUBLIC_URL: url(),
      PARLEY_WIRE_NAME: str({ default: 'svc' }),
      PARLEY_STREAM_DOWNLOADS: bool({ default: false }),
      PARLEY_MAX_CONTENT_BYTES: int({ min: 1, max: 40 * 1024 ** 3 })({ default: 2 * 1024 ** 3 }),
      PARLEY_MAX_UPLOADS_PER_USER: int({ min: 1 })({ default: 32 }),
      PARLEY_MAX_TRANSFERS: int({ min: 1 })({ default: 64 }),
      PARLEY_RATE_LIMIT_FACTOR: num({ min: 0, max: 1_000_000 })({ default: 1 }),
      PARLEY_RATE_LIMIT_UPLOAD_TOKEN: rateFigure({ default: 20 }),
      PARLEY_RATE_LIMIT_UPLOAD_TOKEN_BURST: rateFigure({ default: 100 }),
      PARLEY_TRUSTED_PROXIES: int({ min: 0, max: 10 })({ default: 0 }),
    },
    source,
  );
  return Object.freeze({
    ...serviceConfig(env),
    httpPort: env.PARLEY_HTTP_PORT,
    messagingAddress: env.PARLEY_MESSAGING_ADDRESS,
    contentUrl: env.PARLEY_CONTENT_URL.replace(/\/+$/, ''),
    contentSecret: env.PARLEY_CONTENT_SECRET,
    publicUrl: env.PARLEY_PUBLIC_URL.replace(/\/+$/, ''),
    wireName: env.PARLEY_WIRE_NAME,
    blobs: blobSettings(env),
    streamDownloads: env.PARLEY_STREAM_DOWNLOADS,
    maxContentBytes: env.PARLEY_MAX_CONTENT_BYTES,
    maxUploadsPerUser: env.PARLEY_MAX_UPLOADS_PER_USER,
    maxTransfers: env.PARLEY_MAX_TRANSFERS,
    rateLimitFactor: env.PARLEY_RATE_LIMIT_FACTOR,
    uploadTokenRate: {
      perSecond: env.PARLEY_RATE_LIMIT_UPLOAD_TOKEN,
      burst: env.PARLEY_RATE_LIMIT_UPLOAD_TOKEN_BURST,
    },
    trustedProxies: env.PARLEY_TRUSTED_PROXIES,
  });
}
