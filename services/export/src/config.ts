import { blobEnv, blobSettings, type BlobSettings } from '@parley/blobs/settings';
import { int, readEnv, rpcAddress, str, url } from '@parley/kit/env';
import { serviceConfig, serviceEnv, type ServiceConfig } from '@parley/kit/service-env';
import { tmpdir } from 'node:os';

export type Config = ServiceConfig &
  Readonly<{
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
    /** Exports that work at the same time in this process; further ones take turns with them. */
    concurrency: number;
  }>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      ...serviceEnv,
      ...blobEnv,
      PARLEY_MESSAGING_ADDRESS: rpcAddress(),
      PARLEY_PUBLIC_URL: url(),
      PARLEY_WIRE_NAME: str({ default: 'svc' }),
      PARLEY_EXPORT_SPOOL_FOLDER: str({ default: tmpdir() }),
      PARLEY_EXPORT_TTL_DAYS: int({ min: 1, max: 3650 })({ default: 30 }),
      PARLEY_EXPORT_DOWNLOAD_SECONDS: int({ min: 10, max: 604_800 })({ default: 3600 }),
      PARLEY_EXPORT_CONCURRENCY: int({ min: 1, max: 64 })({ default: 2 }),
    },
    source,
  );
  return Object.freeze({
    ...serviceConfig(env),
    messagingAddress: env.PARLEY_MESSAGING_ADDRESS,
    publicUrl: env.PARLEY_PUBLIC_URL.replace(/\/+$/, ''),
    wireName: env.PARLEY_WIRE_NAME,
    blobs: blobSettings(env),
    spoolFolder: env.PARLEY_EXPORT_SPOOL_FOLDER,
    ttlDays: env.PARLEY_EXPORT_TTL_DAYS,
    downloadSeconds: env.PARLEY_EXPORT_DOWNLOAD_SECONDS,
    concurrency: env.PARLEY_EXPORT_CONCURRENCY,
  });
}
