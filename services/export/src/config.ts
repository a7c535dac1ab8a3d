import { blobSettings, blobsOf, type BlobSettings } from '@parley/blobs/settings';
import { int, str } from '@parley/kit/runtime/config/env';
import { serviceSettings, sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { readSettings, setting, type ConfigOf } from '@parley/kit/runtime/config/settings';
import { tmpdir } from 'node:os';

export const settings = {
  ...serviceSettings,
  messagingAddress: sharedSettings.messagingAddress,
  publicUrl: sharedSettings.publicUrl,
  wireName: sharedSettings.wireName,
  blobs: blobSettings,
  spoolFolder: setting(
    'PARLEY_EXPORT_SPOOL_FOLDER',
    str({ default: undefined }),
    'Folder for the encrypted beginnings of archives while they are written. Default: the temporary folder.',
  ),
  ttlDays: setting(
    'PARLEY_EXPORT_TTL_DAYS',
    int({ min: 1, max: 3650 })({ default: 30 }),
    'Days that a finished export is kept.',
  ),
  downloadSeconds: setting(
    'PARLEY_EXPORT_DOWNLOAD_SECONDS',
    int({ min: 10, max: 604_800 })({ default: 3600 }),
    "Seconds that an archive's download address is valid.",
  ),
  concurrency: setting(
    'PARLEY_EXPORT_CONCURRENCY',
    int({ min: 1, max: 64 })({ default: 2 }),
    'Exports that work at the same time in this process; further ones take turns with them.',
  ),
};

type Read = ConfigOf<typeof settings>;

export type Config = Omit<Read, 'blobs' | 'spoolFolder'> &
  Readonly<{ blobs: BlobSettings; spoolFolder: string }>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const read = readSettings(settings, source);
  return Object.freeze({ ...read, blobs: blobsOf(read.blobs), spoolFolder: read.spoolFolder ?? tmpdir() });
}
