import type { Client } from 'minio';
import { codeOf } from '../failures.ts';

/** Aborts every multipart upload to the key, which removes its parts from the store. */
export async function abortUploads(client: Client, bucket: string, key: string): Promise<void> {
  for await (const uploadId of listUploads(client, bucket, key)) {
    await client.abortMultipartUpload(bucket, key, uploadId).catch(ignoreMissing);
  }
}

/** Whether a multipart upload is in progress. */
export async function isUploading(
  client: Client,
  upload: { bucket: string; key: string; uploadId: string },
): Promise<boolean> {
  for await (const uploadId of listUploads(client, upload.bucket, upload.key)) {
    if (uploadId === upload.uploadId) return true;
  }
  return false;
}

async function* listUploads(client: Client, bucket: string, key: string): AsyncGenerator<string> {
  let keyMarker = '';
  let uploadIdMarker = '';
  for (;;) {
    const page = await client.listIncompleteUploadsQuery(bucket, key, keyMarker, uploadIdMarker, '');
    for (const { key: found, uploadId } of page.uploads) {
      if (found === key) yield uploadId;
    }
    if (!page.isTruncated) return;
    keyMarker = page.nextKeyMarker;
    uploadIdMarker = page.nextUploadIdMarker;
  }
}

/** Removes all objects whose names begin with a prefix. */
export async function removeBelow(client: Client, bucket: string, prefix: string): Promise<void> {
  const names: string[] = [];
  for await (const object of client.listObjectsV2(bucket, prefix, true)) {
    const { name } = object as { name?: string };
    if (name) names.push(name);
  }
  if (names.length > 0) await client.removeObjects(bucket, names);
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'NoSuchUpload') throw error;
}
