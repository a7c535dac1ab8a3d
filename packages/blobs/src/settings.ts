import { bool, secret, str, url } from '@parley/kit/env';
import { openFolder, type FolderStore } from './folder/store.ts';
import { openS3 } from './s3/store.ts';
import type { BlobStore } from './store.ts';

/** The variables of a process that stores blobs, for its readEnv. Either a folder or an S3 endpoint is given. */
export const blobEnv = {
  PARLEY_BLOB_FOLDER: str({ default: undefined }),
  PARLEY_BLOB_DURABLE: bool({ default: true }),
  PARLEY_S3_ENDPOINT: url({ default: undefined }),
  PARLEY_S3_PUBLIC_ENDPOINT: url({ default: undefined }),
  PARLEY_S3_REGION: str({ default: 'us-east-1' }),
  PARLEY_S3_BUCKET: str({ default: 'parley' }),
  PARLEY_S3_ACCESS_KEY: str({ default: undefined }),
  PARLEY_S3_SECRET_KEY: str({ default: undefined }),
  /** The content service's public address: it serves a folder's blobs. */
  PARLEY_CONTENT_URL: url(),
  PARLEY_CONTENT_SECRET: secret(),
};

type BlobEnv = {
  PARLEY_BLOB_FOLDER: string | undefined;
  PARLEY_BLOB_DURABLE: boolean;
  PARLEY_S3_ENDPOINT: string | undefined;
  PARLEY_S3_PUBLIC_ENDPOINT: string | undefined;
  PARLEY_S3_REGION: string;
  PARLEY_S3_BUCKET: string;
  PARLEY_S3_ACCESS_KEY: string | undefined;
  PARLEY_S3_SECRET_KEY: string | undefined;
  PARLEY_CONTENT_URL: string;
  PARLEY_CONTENT_SECRET: string;
};

export type BlobSettings =
  | { kind: 'folder'; root: string; url: string; secret: string; durable: boolean }
  | {
      kind: 's3';
      endpoint: string;
      publicEndpoint: string | undefined;
      region: string;
      bucket: string;
      accessKey: string;
      secretKey: string;
    };

/** Where a folder's blobs are served, below the content service's address. */
export const FOLDER_PATH = '/blobs';

/** Throws when neither store is configured, or S3 without its keys. */
export function blobSettings(env: BlobEnv): BlobSettings {
  const { PARLEY_S3_ENDPOINT: endpoint, PARLEY_BLOB_FOLDER: root } = env;
  if (endpoint === undefined) {
    if (root === undefined)
      throw new Error('bad environment: PARLEY_S3_ENDPOINT or PARLEY_BLOB_FOLDER: one is required');
    const url = env.PARLEY_CONTENT_URL.replace(/\/+$/, '') + FOLDER_PATH;
    return { kind: 'folder', root, url, secret: env.PARLEY_CONTENT_SECRET, durable: env.PARLEY_BLOB_DURABLE };
  }
  const { PARLEY_S3_ACCESS_KEY: accessKey, PARLEY_S3_SECRET_KEY: secretKey } = env;
  if (!accessKey || !secretKey) {
    throw new Error(
      'bad environment: PARLEY_S3_ACCESS_KEY, PARLEY_S3_SECRET_KEY: are required with PARLEY_S3_ENDPOINT',
    );
  }
  const {
    PARLEY_S3_PUBLIC_ENDPOINT: publicEndpoint,
    PARLEY_S3_REGION: region,
    PARLEY_S3_BUCKET: bucket,
  } = env;
  return { kind: 's3', endpoint, publicEndpoint, region, bucket, accessKey, secretKey };
}

/** `folder` is set where this process has to serve the blobs itself. */
export async function openBlobStore(
  settings: BlobSettings,
): Promise<{ blobs: BlobStore; folder: FolderStore | undefined }> {
  if (settings.kind === 's3') return { blobs: openS3(settings), folder: undefined };
  const folder = await openFolder(settings);
  return { blobs: folder, folder };
}
