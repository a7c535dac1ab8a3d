import { buffer } from 'node:stream/consumers';
import { checkKey } from '../failures.ts';
import { createS3Client, type S3Options } from '../s3/client.ts';
import { withRetry } from '../s3/failures.ts';
import type { Objects } from './objects.ts';

/** Objects of an existing bucket. */
export function openS3Objects(options: S3Options): Objects {
  const client = createS3Client(options);
  const { bucket } = options;
  return {
    async put(key, bytes) {
      const body = Buffer.from(bytes);
      await withRetry('cannot write', checkKey(key), () => client.putObject(bucket, key, body, body.length));
    },
    get: (key) =>
      withRetry('cannot read', checkKey(key), async () => buffer(await client.getObject(bucket, key))),
    list: ({ prefix, after, limit }) =>
      withRetry('cannot list', prefix, async () => {
        const keys: string[] = [];
        for await (const object of client.listObjectsV2(bucket, prefix, true, after)) {
          const { name } = object as { name?: string };
          if (name) keys.push(name);
          if (keys.length >= limit) break;
        }
        return keys;
      }),
    async remove(key) {
      await withRetry('cannot remove', checkKey(key), () => client.removeObject(bucket, key));
    },
  };
}
