import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Client } from 'minio';
import type { BlobDescription, BlobStore, BlobUpload, Piece, StoredPart } from '../store.ts';
import { checkKey, isNotFound, notFound } from '../failures.ts';
import { contentDisposition } from '../content-disposition.ts';
import { createS3Client, type S3Options } from './client.ts';
import { withRetry } from './failures.ts';
import { abortUploads, isUploading, removeBelow } from './cleaning.ts';

export type { S3Options } from './client.ts';

/** The smallest part that S3 accepts, except for the last one. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

type Bucket = { client: Client; bucket: string };

/**
 * Stores blobs as objects of an existing bucket, in plain S3: multipart uploads, ranges, presigned addresses. A piece that is
 * too small for a part is staged as an object of its own until enough bytes follow it.
 */
export function openS3(options: S3Options): BlobStore {
  const { bucket } = options;
  const client = createS3Client(options);
  const publicClient = createS3Client({ ...options, endpoint: options.publicEndpoint ?? options.endpoint });
  const opened = { client, bucket };
  return {
    partBytes: MIN_PART_BYTES,
    begin: (key, { contentType }) =>
      withRetry('cannot begin', checkKey(key), () =>
        client.initiateNewMultipartUpload(bucket, key, objectHeaders(contentType)),
      ),
    append: (upload, piece) => appendPiece(opened, upload, piece),
    complete: (upload, parts, description) => completeUpload(opened, upload, { parts, description }),
    async discard(key) {
      checkKey(key);
      await withRetry('cannot remove', key, async () => {
        await abortUploads(client, bucket, key);
        await client.removeObject(bucket, key);
        await removeBelow(client, bucket, stagedPrefix(key));
      });
    },
    find: (key) => findBlob(opened, key),
    read: async (key, range) =>
      withRetry('cannot read', checkKey(key), () =>
        range
          ? client.getPartialObject(bucket, key, range.start, range.end - range.start + 1)
          : client.getObject(bucket, key),
      ),
    presign(key, { contentType, expiresAt, filename }) {
      // The signature has the date of this machine, from which the store counts.
      // eslint-disable-next-line parley/monotonic-durations
      const seconds = Math.max(1, Math.ceil((expiresAt - Date.now()) / 1000));
      const headers = {
        'response-content-type': contentType,
        'response-content-disposition': contentDisposition(filename),
      };
      return publicClient.presignedGetObject(bucket, checkKey(key), seconds, headers);
    },
  };
}

async function appendPiece(
  { client, bucket }: Bucket,
  { key, uploadId }: BlobUpload,
  { number, chunks, staged, isLast }: Piece,
): Promise<StoredPart> {
  const bytes = Buffer.concat(chunks);
  const stagedBytes = staged.reduce((sum, part) => sum + part.size, 0);
  if (!isLast && stagedBytes + bytes.length < MIN_PART_BYTES) {
    const tag = stagedPrefix(key) + randomUUID();
    await withRetry('cannot stage', key, () => client.putObject(bucket, tag, bytes, bytes.length));
    return { number, size: bytes.length, tag, staged: true };
  }
  const before = await Promise.all(
    staged.map(({ tag }) =>
      withRetry('cannot read', tag, async () => buffer(await client.getObject(bucket, tag))),
    ),
  );
  const body = staged.length > 0 ? Buffer.concat([...before, bytes]) : bytes;
  const part = {
    bucketName: bucket,
    objectName: key,
    uploadID: uploadId,
    partNumber: number,
    headers: {},
  };
  const { etag } = await withRetry('cannot store', key, () => client.uploadPart(part, body));
  return { number, size: body.length, tag: etag, staged: false };
}

async function completeUpload(
  opened: Bucket,
  { key, uploadId }: BlobUpload,
  { parts, description }: { parts: readonly StoredPart[]; description: BlobDescription },
): Promise<void> {
  const { client, bucket } = opened;
  await withRetry('cannot complete', key, async () => {
    if (parts.length === 0) {
      await client.putObject(bucket, key, Buffer.alloc(0), 0, objectHeaders(description.contentType));
      return abortUploads(client, bucket, key);
    }
    const etags = parts.map(({ number, tag }) => ({ part: number, etag: tag }));
    await client.completeMultipartUpload(bucket, key, uploadId, etags);
  }).catch(async (failure: unknown) => {
    // An earlier attempt may have succeeded although its answer was lost. For an upload that does not exist Ceph answers only
    // that something went wrong.
    if (await findBlob(opened, key)) return;
    if (!(await isUploading(client, { bucket, key, uploadId }))) throw notFound(key, failure);
    throw failure;
  });
  await withRetry('cannot clean up', key, () => removeBelow(client, bucket, stagedPrefix(key)));
}

async function findBlob({ client, bucket }: Bucket, key: string): Promise<{ size: number } | undefined> {
  checkKey(key);
  try {
    const { size } = await withRetry('cannot look for', key, () => client.statObject(bucket, key));
    return { size };
  } catch (failure) {
    if (isNotFound(failure)) return undefined;
    throw failure;
  }
}

function stagedPrefix(key: string): string {
  return `staged/${key}/`;
}

function objectHeaders(contentType: string): Record<string, string> {
  return { 'Content-Type': contentType, 'Content-Disposition': 'attachment' };
}
