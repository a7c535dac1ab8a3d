import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Code, ConnectError } from '@connectrpc/connect';
import { contentDisposition } from '../src/content-disposition.ts';
import type { BlobStore, BlobUpload, StoredPart } from '../src/store.ts';
import { writeBlob } from '../src/write-blob.ts';

const description = { contentType: 'image/png' };
const KIB = 1024;

export function newKey(): string {
  return `test/${randomUUID()}`;
}

/** Uploads pieces like a service: records the parts, and passes the staged ones back. */
export function createUploader(store: BlobStore, key: string) {
  const parts: StoredPart[] = [];
  let upload: BlobUpload | undefined;
  const begin = async () => (upload ??= { key, uploadId: await store.begin(key, description) });
  return {
    parts,
    async append(data: Uint8Array, isLast = false): Promise<StoredPart> {
      const staged = parts.filter((part) => part.staged);
      const chunks = [data.subarray(0, 100), data.subarray(100)];
      const number = parts.length - staged.length + 1;
      const part = await store.append(await begin(), { number, chunks, staged, isLast });
      if (!part.staged) parts.length -= staged.length;
      parts.push(part);
      return part;
    },
    complete: async () => store.complete(await begin(), parts, description),
    begin,
  };
}

export async function readAll(store: BlobStore, key: string, range?: { start: number; end: number }) {
  return buffer(await store.read(key, range));
}

export async function expectCode(call: Promise<unknown>, code: Code): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error instanceof ConnectError ? Code[error.code] : error).toBe(Code[code]);
}

type Opened = { readonly store: BlobStore };

/** The tests that every store must pass. */
export function describeContract(name: string, open: () => Promise<BlobStore>): void {
  describe(name, () => {
    let store: BlobStore;
    beforeAll(async () => {
      store = await open();
    });
    const opened: Opened = {
      get store() {
        return store;
      },
    };
    testWriting(opened);
    testReading(opened);
    testFailures(opened);
  });
}

function testWriting(opened: Opened): void {
  test('a blob consists of its pieces in order, of any size', async () => {
    const key = newKey();
    const uploader = createUploader(opened.store, key);
    const sizes = [256, 256, 5000, 1, 256, 6000, 300, 17].map((size) => size * KIB);
    const pieces = sizes.map((size) => randomBytes(size));
    for (const [index, piece] of pieces.entries()) await uploader.append(piece, index === pieces.length - 1);
    expect(uploader.parts.some(({ staged }) => staged)).toBe(false);
    await uploader.complete();
    const whole = Buffer.concat(pieces);
    expect(await opened.store.find(key)).toEqual({ size: whole.length });
    expect((await readAll(opened.store, key)).equals(whole)).toBe(true);
  });

  test('a blob appears when it is completed, and completing it again has no effect', async () => {
    const key = newKey();
    const uploader = createUploader(opened.store, key);
    const data = randomBytes(5 * KIB);
    await uploader.append(data, true);
    expect(await opened.store.find(key)).toBeUndefined();
    await uploader.complete();
    await uploader.complete();
    expect((await readAll(opened.store, key)).equals(data)).toBe(true);
  });

  test('a blob may be empty', async () => {
    const key = newKey();
    await createUploader(opened.store, key).complete();
    expect(await opened.store.find(key)).toEqual({ size: 0 });
    expect(await readAll(opened.store, key)).toHaveLength(0);
  });

  test('a part that the caller did not record is not in the blob', async () => {
    const key = newKey();
    const uploader = createUploader(opened.store, key);
    const [first, lost, last] = [6 * KIB * KIB, 10, 20].map((size) => randomBytes(size)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    await uploader.append(first);
    await uploader.append(lost, true);
    uploader.parts.pop();
    await uploader.append(last, true);
    await uploader.complete();
    expect((await readAll(opened.store, key)).equals(Buffer.concat([first, last]))).toBe(true);
  });
}

function testReading(opened: Opened): void {
  test('any range can be read', async () => {
    const key = newKey();
    const data = randomBytes(11 * KIB * KIB);
    await writeBlob(opened.store, key, slices(data, 70_001), description);
    const ends: [number, number][] = [
      [0, 0],
      [5, 4_194_304],
      [4_194_303, 8_388_609],
      [data.length - 1, data.length - 1],
      [0, data.length - 1],
    ];
    for (const [start, end] of ends) {
      expect((await readAll(opened.store, key, { start, end })).equals(data.subarray(start, end + 1))).toBe(
        true,
      );
    }
  });

  test('a presigned address gives whole and ranges as an attachment, until it expires', async () => {
    const key = newKey();
    const data = randomBytes(300 * KIB);
    await writeBlob(opened.store, key, slices(data, 65_536), description);
    const url = await opened.store.presign(key, { contentType: 'video/mp4', expiresAt: Date.now() + 60_000 });
    const whole = await fetch(url);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(Buffer.from(await whole.arrayBuffer()).equals(data)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=100-199' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${data.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(data.subarray(100, 200))).toBe(true);
    expect((await fetch(url.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).status).toBe(403);
    expect((await fetch(url.replace('video', 'audio'))).status).toBe(403);
  });

  test.each(['report.pdf', 'résumé & "more" 100%25.pdf', '..', '😀'.repeat(255)])(
    'a presigned address carries the name %j',
    async (filename) => {
      const key = newKey();
      await writeBlob(opened.store, key, slices(randomBytes(10), 10), description);
      const address = { contentType: 'video/mp4', expiresAt: Date.now() + 60_000, filename };
      const url = await opened.store.presign(key, address);
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-disposition')).toBe(contentDisposition(filename));
      expect((await fetch(url.replace(/filename/, 'filenamf'))).status).toBe(403);
    },
  );
}

function testFailures(opened: Opened): void {
  test('a stream becomes a blob; one that fails leaves nothing', async () => {
    const key = newKey();
    const data = randomBytes(9 * KIB * KIB + 3);
    expect(await writeBlob(opened.store, key, slices(data, 65_536), description)).toEqual({
      size: data.length,
    });
    expect((await readAll(opened.store, key)).equals(data)).toBe(true);
    async function* broken() {
      yield data;
      yield data;
      throw new Error('the source broke');
    }
    await expect(writeBlob(opened.store, newKey(), broken(), description)).rejects.toThrow(
      'the source broke',
    );
  });

  test('a discarded blob is removed, complete or not, and its upload cannot continue', async () => {
    const [complete, half] = [newKey(), newKey()];
    await writeBlob(opened.store, complete, slices(randomBytes(100), 10), description);
    const uploader = createUploader(opened.store, half);
    await uploader.append(randomBytes(6 * KIB * KIB));
    await uploader.append(randomBytes(KIB));
    for (const key of [complete, half, newKey()]) {
      await opened.store.discard(key);
      expect(await opened.store.find(key)).toBeUndefined();
    }
    await expectCode(opened.store.read(complete), Code.NotFound);
    await expectCode(uploader.append(randomBytes(6 * KIB * KIB), true), Code.NotFound);
    await expectCode(uploader.complete(), Code.NotFound);
  });

  test('keys that could point outside of the store are refused', async () => {
    for (const key of ['../x', '/x', 'a//b', 'a/../b', '', 'a b']) {
      await expectCode(
        Promise.resolve().then(() => opened.store.begin(key, description)),
        Code.InvalidArgument,
      );
    }
  });
}

async function* slices(data: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}
