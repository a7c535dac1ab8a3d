import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code } from '@connectrpc/connect';
import { describeWith, testS3 } from '@parley/testing';
import { openFolderObjects } from '../src/objects/folder.ts';
import type { Objects } from '../src/objects/objects.ts';
import { openS3Objects } from '../src/objects/s3.ts';
import { openBucket } from '../src/testing/bucket.ts';
import { expectCode } from './contract.ts';

const bytesOf = (text: string) => Buffer.from(text);

function describeObjects(name: string, open: () => Promise<Objects>): void {
  describe(name, () => {
    test('an object is read as it was put, also when it is put again', async () => {
      const objects = await open();
      const key = `${randomUUID()}/one.jsonl`;
      for (const _ of [1, 2]) await objects.put(key, bytesOf('as it was'));
      expect(Buffer.from(await objects.get(key)).toString()).toBe('as it was');
    });

    test('keys are listed in order, page by page, below a prefix', async () => {
      const objects = await open();
      const folder = randomUUID();
      const keys = ['a/2', 'a/1', 'b/1'].map((name) => `${folder}/${name}`);
      for (const key of keys) await objects.put(key, bytesOf(key));
      const prefix = `${folder}/`;
      const sorted = keys.toSorted();
      expect(await objects.list({ prefix, after: '', limit: 10 })).toEqual(sorted);
      expect(await objects.list({ prefix, after: sorted[0]!, limit: 1 })).toEqual([sorted[1]]);
      expect(await objects.list({ prefix: `${folder}/a/`, after: '', limit: 10 })).toEqual(
        sorted.slice(0, 2),
      );
      expect(await objects.list({ prefix: `${randomUUID()}/`, after: '', limit: 10 })).toEqual([]);
    });

    test('a removed object is gone, and removing it again does nothing', async () => {
      const objects = await open();
      const key = `${randomUUID()}/one.jsonl`;
      await objects.put(key, bytesOf('text'));
      for (const _ of [1, 2]) await objects.remove(key);
      await expectCode(objects.get(key), Code.NotFound);
    });
  });
}

describe('a folder', () => {
  let home: string;
  beforeAll(async () => void (home = await mkdtemp(path.join(tmpdir(), 'parley-objects-'))));
  afterAll(() => rm(home, { recursive: true }));

  describeObjects('the folder driver', () => openFolderObjects(path.join(home, 'objects')));

  test('a folder that is away is an outage, and is not taken for an empty one', async () => {
    const root = path.join(home, 'mounted');
    const objects = await openFolderObjects(root);
    await objects.put('one', bytesOf('text'));
    await rename(root, `${root}-away`);
    await expectCode(objects.put('two/three', bytesOf('text')), Code.Unavailable);
    await expectCode(objects.list({ prefix: '', after: '', limit: 10 }), Code.Unavailable);
    await rename(`${root}-away`, root);
    expect(await objects.list({ prefix: '', after: '', limit: 10 })).toEqual(['one']);
  });
});

describeWith('s3', 'S3', () => {
  describeObjects('the S3 driver', async () =>
    openS3Objects(await openBucket(await testS3(), 'parley-objects')),
  );
});
