import { blobSettings, blobsOf, type BlobSettings } from '@parley/blobs/settings';
import { bool, int, listenPort } from '@parley/kit/runtime/config/env';
import { serviceSettings, sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { readSettings, setting, type ConfigOf } from '@parley/kit/runtime/config/settings';

const rateFigure = int({ min: 1, max: 1_000_000_000 });

export const settings = {
  ...serviceSettings,
  httpPort: setting('PARLEY_HTTP_PORT', listenPort({ default: 0 }), 'Port of uploads and downloads.'),
  messagingAddress: sharedSettings.messagingAddress,
  contentUrl: sharedSettings.contentUrl,
  contentSecret: sharedSettings.contentSecret,
  acceptedContentSecrets: sharedSettings.acceptedContentSecrets,
  publicUrl: sharedSettings.publicUrl,
  wireName: sharedSettings.wireName,
  blobs: blobSettings,
  streamDownloads: setting(
    'PARLEY_STREAM_DOWNLOADS',
    bool({ default: false }),
    'Downloads go through this service instead of being redirected to the object storage.',
  ),
  maxContentBytes: setting(
    'PARLEY_MAX_CONTENT_BYTES',
    int({ min: 1, max: 40 * 1024 ** 3 })({ default: 2 * 1024 ** 3 }),
    'Bytes of one content.',
  ),
  maxUploadsPerUser: setting(
    'PARLEY_MAX_UPLOADS_PER_USER',
    int({ min: 1 })({ default: 32 }),
    'Unfinished uploads of one user, those that moved lately.',
  ),
  maxUnreferencedBytesPerUser: setting(
    'PARLEY_MAX_UNREFERENCED_BYTES_PER_USER',
    int({ min: 0 })({ default: 4 * 1024 ** 3 }),
    'Bytes of content of one user to which no message refers, uploads under way with their declared size.',
  ),
  maxUnreferencedBytesPerApp: setting(
    'PARLEY_MAX_UNREFERENCED_BYTES_PER_APP',
    int({ min: 0 })({ default: 100 * 1024 ** 3 }),
    'The same of all users and servers of one application.',
  ),
  maxTransfers: setting(
    'PARLEY_MAX_TRANSFERS',
    int({ min: 1 })({ default: 64 }),
    'Uploads that this process receives at the same time.',
  ),
  rateLimitFactor: sharedSettings.rateLimitFactor,
  uploadTokenRate: {
    perSecond: setting(
      'PARLEY_RATE_LIMIT_UPLOAD_TOKEN',
      rateFigure({ default: 20 }),
      'Requests with a wrong upload token, for each address and second.',
    ),
    burst: setting(
      'PARLEY_RATE_LIMIT_UPLOAD_TOKEN_BURST',
      rateFigure({ default: 100 }),
      'The same, at once.',
    ),
  },
  trustedProxies: sharedSettings.trustedProxies,
};

type Read = ConfigOf<typeof settings>;

export type Config = Omit<Read, 'blobs'> & Readonly<{ blobs: BlobSettings }>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const read = readSettings(settings, source);
  return Object.freeze({ ...read, blobs: blobsOf(read.blobs) });
}
