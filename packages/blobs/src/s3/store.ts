import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from '../store.ts';
import { checkKey, isNotFound, notFound } from '../failures.ts';
import { createS3Client, type S3Options } from './client.ts';
import { persist } from './failures.ts';
import { abortUploads, isUploading, removeBelow } from './cleaning.ts';

export type { S3Options } from './client.ts';

/** The smallest part that S3 takes, but for the last one. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

/**
 * Blobs as objects of a bucket that is there, in plain S3: multipart uploads, ranges, presigned addresses. A piece that
 * is too small for a part is staged as an object of its own until enough others follow it.
 */
export function openS3(options: S3Options): BlobStore {
  const { bucket } = options;
  const client = createS3Client(options);
  const publicClient = createS3Client({ ...options, endpoint: options.publicEndpoint ?? options.endpoint });
  const stagedPrefix = (key: string) => `staged/${key}/`;

  const store: BlobStore = {
    partBytes: MIN_PART_BYTES,
    begin: (key, { contentType }) =>
      persist('cannot begin', checkKey(key), () =>
        client.initiateNewMultipartUpload(bucket, key, objectHeaders(contentType)),
      ),

    async append({ key, uploadId }, { number, chunks, staged, isLast }) {
      const fresh = Buffer.concat(chunks);
      const stagedBytes = staged.reduce((sum, part) => sum + part.size, 0);
      if (!isLast && stagedBytes + fresh.length < MIN_PART_BYTES) {
        const tag = stagedPrefix(key) + randomUUID();
        await persist('cannot stage', key, () => client.putObject(bucket, tag, fresh, fresh.length));
        return { number, size: fresh.length, tag, staged: true };
      }
      const load = (tag: string) =>
        persist('cannot read', tag, async () => buffer(await client.getObject(bucket, tag)));
      const before = await Promise.all(staged.map(({ tag }) => load(tag)));
      const body = staged.length > 0 ? Buffer.concat([...before, fresh]) : fresh;
      const part = {
        bucketName: bucket,
        objectName: key,
        uploadID: uploadId,
        partNumber: number,
        headers: {},
      };
      const { etag } = await persist('cannot store', key, () => client.uploadPart(part, body));
      return { number, size: body.length, tag: etag, staged: false };
    },

    async complete({ key, uploadId }, parts, { contentType }) {
      await persist('cannot complete', key, async () => {
        if (parts.length === 0) {
          await client.putObject(bucket, key, Buffer.alloc(0), 0, objectHeaders(contentType));
          return abortUploads(client, bucket, key);
        }
        const etags = parts.map(({ number, tag }) => ({ part: number, etag: tag }));
        await client.completeMultipartUpload(bucket, key, uploadId, etags);
      }).catch(async (failure: unknown) => {
        // An attempt before this one may have succeeded without being heard. Ceph says of an upload that is not there only
        // that something went wrong.
        if (await store.find(key)) return;
        if (!(await isUploading(client, { bucket, key, uploadId }))) throw notFound(key, failure);
        throw failure;
      });
      await persist('cannot clean up', key, () => removeBelow(client, bucket, stagedPrefix(key)));
    },

    async discard(key) {
      checkKey(key);
      await persist('cannot remove', key, async () => {
        await abortUploads(client, bucket, key);
        await client.removeObject(bucket, key);
        await removeBelow(client, bucket, stagedPrefix(key));
      });
    },

    async find(key) {
      checkKey(key);
      try {
        const { size } = await persist('cannot look for', key, () => client.statObject(bucket, key));
        return { size };
      } catch (failure) {
        if (isNotFound(failure)) return undefined;
        throw failure;
      }
    },

    read: async (key, range) =>
      persist('cannot read', checkKey(key), () =>
        range
          ? client.getPartialObject(bucket, key, range.start, range.end - range.start + 1)
          : client.getObject(bucket, key),
      ),

    presign(key, { contentType, expiresAt }) {
      const seconds = Math.max(1, Math.ceil((expiresAt - Date.now()) / 1000));
      const shownAs = {
        'response-content-type': contentType,
        'response-content-disposition': 'attachment',
      };
      return publicClient.presignedGetObject(bucket, checkKey(key), seconds, shownAs);
    },
  };
  return store;
}

function objectHeaders(contentType: string): Record<string, string> {
  return { 'Content-Type': contentType, 'Content-Disposition': 'attachment' };
}
