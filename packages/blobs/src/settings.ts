import { bool, str, url } from '@parley/kit/runtime/config/env';
import { sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { setting, type ConfigOf } from '@parley/kit/runtime/config/settings';
import { openFolder, type FolderStore } from './folder/store.ts';
import { openS3 } from './s3/store.ts';
import type { BlobStore } from './store.ts';

/** Settings of a process that stores blobs, either in a folder or by an S3 endpoint. */
export const blobSettings = {
  folder: setting(
    'PARLEY_BLOB_FOLDER',
    str({ default: undefined }),
    'Folder that blobs are stored in, instead of object storage.',
  ),
  durable: setting(
    'PARLEY_BLOB_DURABLE',
    bool({ default: true }),
    'Files in that folder are forced to disk before they are acknowledged.',
  ),
  endpoint: setting(
    'PARLEY_S3_ENDPOINT',
    url({ default: undefined }),
    'Object storage with the S3 protocol.',
  ),
  publicEndpoint: setting(
    'PARLEY_S3_PUBLIC_ENDPOINT',
    url({ default: undefined }),
    'The same, by the address that clients reach it by. Default: the same address.',
  ),
  region: setting('PARLEY_S3_REGION', str({ default: 'us-east-1' }), 'Region of the object storage.'),
  bucket: setting('PARLEY_S3_BUCKET', str({ default: 'parley' }), 'Bucket that blobs are stored in.'),
  accessKey: setting(
    'PARLEY_S3_ACCESS_KEY',
    str({ default: undefined }),
    'Access key of the object storage. Required with `PARLEY_S3_ENDPOINT`.',
  ),
  secretKey: setting(
    'PARLEY_S3_SECRET_KEY',
    str({ default: undefined }),
    'Secret key of the object storage. Required with `PARLEY_S3_ENDPOINT`.',
  ),
  tlsFolder: setting(
    'PARLEY_S3_TLS_FOLDER',
    str({ default: undefined }),
    'Folder with `ca.crt`, the authorities of the object storage. Default: those of the system.',
  ),
  contentUrl: sharedSettings.contentUrl,
  contentSecret: sharedSettings.contentSecret,
};

export type BlobSettings =
  | {
      kind: 'folder';
      root: string;
      url: string;
      secret: string;
      durable: boolean;
    }
  | {
      kind: 's3';
      endpoint: string;
      publicEndpoint: string | undefined;
      region: string;
      bucket: string;
      accessKey: string;
      secretKey: string;
      tlsFolder?: string | undefined;
    };

/** Path below the content service's address at which a folder's blobs are served. */
export const FOLDER_PATH = '/blobs';

/** Throws when neither store is configured, or S3 without its keys. */
export function blobsOf(config: ConfigOf<typeof blobSettings>): BlobSettings {
  const { endpoint, folder: root, accessKey, secretKey, publicEndpoint, region, bucket, tlsFolder } = config;
  if (endpoint === undefined) {
    if (root === undefined)
      throw new Error('bad environment: PARLEY_S3_ENDPOINT or PARLEY_BLOB_FOLDER: one is required');
    const url = config.contentUrl + FOLDER_PATH;
    return { kind: 'folder', root, url, secret: config.contentSecret, durable: config.durable };
  }
  if (!accessKey || !secretKey) {
    throw new Error(
      'bad environment: PARLEY_S3_ACCESS_KEY, PARLEY_S3_SECRET_KEY: are required with PARLEY_S3_ENDPOINT',
    );
  }
  return { kind: 's3', endpoint, publicEndpoint, region, bucket, accessKey, secretKey, tlsFolder };
}

/**
 * Opens the store. `folder` is set when the content service has to serve the blobs itself: at addresses that were signed with its
 * secret or with an accepted one.
 */
export async function openBlobStore(
  settings: BlobSettings,
  acceptedSecrets: readonly string[] = [],
): Promise<{ blobs: BlobStore; folder: FolderStore | undefined }> {
  if (settings.kind === 's3') return { blobs: openS3(settings), folder: undefined };
  const folder = await openFolder({ ...settings, acceptedSecrets });
  return { blobs: folder, folder };
}
