import { randomBytes } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import { describeWith, startCeph, testS3, testWith, type S3Access } from '@parley/testing';
import { Client } from 'minio';
import { openS3, type S3Options } from '../src/s3/store.ts';
import { openBucket } from '../src/testing/bucket.ts';
import { createUploader, describeContract, expectCode, newKey, readAll } from './contract.ts';

async function withBucket(of?: S3Access): Promise<S3Options> {
  return openBucket(of ?? (await testS3()), 'parley-blobs');
}

describeWith('s3', 'S3', () => {
  describeContract('the S3 driver', async () => openS3(await withBucket()));

  test('a wrong secret is an outage, and nothing is stored', async () => {
    const store = openS3({ ...(await withBucket()), secretKey: 'a wrong secret key' });
    await expectCode(store.begin(newKey(), { contentType: 'text/plain' }), Code.Unavailable);
  });

  test('discarding leaves nothing: no object, no part, no staged piece', async () => {
    const options = await withBucket();
    const store = openS3(options);
    const key = newKey();
    for (const size of [6_000_000, 100]) await createUploader(store, key).append(randomBytes(size));
    await store.discard(key);
    const { hostname, port } = new URL(options.endpoint);
    const client = new Client({ ...options, endPoint: hostname, port: Number(port), useSSL: false });
    const found: unknown[] = [];
    for await (const one of client.listObjectsV2(options.bucket, `staged/${key}`, true)) found.push(one);
    for await (const one of client.listIncompleteUploads(options.bucket, key, true)) found.push(one);
    expect(found).toEqual([]);
  });

  testWith(
    'ceph',
    'a store that is killed in mid-upload is an outage; the upload goes on when it is back',
    async () => {
      const ceph = await startCeph();
      const store = openS3(await withBucket(ceph.access));
      const key = newKey();
      const uploader = createUploader(store, key);
      const pieces = [6_000_000, 300_000, 6_000_000].map((size) => randomBytes(size));
      await uploader.append(pieces[0]!);
      await uploader.append(pieces[1]!);
      const cut = uploader.append(pieces[2]!, true);
      await ceph.kill();
      await expectCode(cut, Code.Unavailable);
      await expectCode(store.find(key), Code.Unavailable);
      await ceph.restart();
      await uploader.append(pieces[2]!, true);
      await uploader.complete();
      expect((await readAll(store, key)).equals(Buffer.concat(pieces))).toBe(true);
      await ceph.kill();
    },
    60_000,
  );
});
