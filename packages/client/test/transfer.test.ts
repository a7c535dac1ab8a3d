import { randomBytes, randomUUID } from 'node:crypto';
import { createApp, textPart, type TestUser } from '../../../test/support/app.ts';
import { platform } from '../../../test/support/platform.ts';
import { until } from '../../../test/support/until.ts';
import { createGate } from '../src/connection/gate.ts';
import { createWaiting } from '../src/connection/waiting.ts';
import { memoryStorage } from '../src/store/memory.ts';
import { recordStore } from '../src/records/rows.ts';
import type { Store } from '../src/store/store.ts';
import { createDownloads } from '../src/transfer/downloads.ts';
import type { SendRequest } from '../src/transfer/request.ts';
import { createUploads, type UploadsHandle } from '../src/transfer/uploads.ts';
import type { Upload, UploadStatus } from '../src/transfer/upload.ts';

const KIB = 1024;

let ada: TestUser;
let store: Store;

beforeAll(async () => {
  ada = await (await createApp(await platform())).login('ada');
});
beforeEach(async () => {
  store = await memoryStorage().open(randomUUID());
});

const send: SendRequest = async ({ method, path, headers }) => {
  const { body } = await ada.call(method, path, method === 'POST' ? 201 : 200, headers ? { headers } : {});
  return { body };
};

/** A `fetch` that lets some pieces pass, and then fails until it is repaired. */
function failingAfter(pieces: number): { fetch: typeof fetch; sent: number; repair(): void } {
  let isBroken = true;
  const link = {
    sent: 0,
    repair: () => (isBroken = false),
    fetch: async (...[input, init]: Parameters<typeof fetch>) => {
      const isPiece = init?.method === 'PATCH';
      if (isBroken && isPiece && link.sent >= pieces) throw new TypeError('fetch failed');
      if (isPiece) link.sent++;
      return fetch(input, init);
    },
  };
  return link;
}

function uploadsWith(fetchWith: typeof fetch = fetch, wait = createWaiting().wait): UploadsHandle {
  return createUploads({
    store: () => Promise.resolve(recordStore(store)),
    send,
    fetch: fetchWith,
    wait,
    diagnose: () => undefined,
  });
}

const untilStatus = (upload: Upload | undefined, status: UploadStatus) =>
  until(`the upload is ${status}`, () => (upload?.getSnapshot().status === status ? true : undefined));

async function stored(contentId: string): Promise<Buffer> {
  const conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: [] } })).body;
  const parts = [textPart('a file'), { mime_type: 'image/png', content: { id: contentId } }];
  const path = `/conversations/${conversation.id.split('/').pop()}/messages`;
  const message = (await ada.call('POST', path, 201, { body: { parts } })).body;
  const file = await createDownloads({ send, fetch }).blob(message.parts[1].content);
  expect(file.type).toBe('image/png');
  return Buffer.from(await file.arrayBuffer());
}

test('a file arrives in pieces, and its part may be sent', async () => {
  const bytes = randomBytes(900 * KIB);
  const { uploads } = uploadsWith();
  const upload = uploads.start(new Blob([bytes], { type: 'image/png' }), { data: { for: 'c1' } });
  const progress: number[] = [];
  upload.subscribe(() => progress.push(upload.getSnapshot().sent));
  const part = await upload.done();
  expect(part).toMatchObject({ mime_type: 'image/png', content: { size: bytes.length } });
  expect(new Set(progress)).toEqual(new Set([0, 256 * KIB, 768 * KIB, 900 * KIB]));
  expect((await stored(part.content.id)).equals(bytes)).toBe(true);
  await upload.dismiss();
  expect(uploads.getSnapshot().items).toEqual([]);
});

test('the part has the name of the file, as a part may have it', async () => {
  const { uploads } = uploadsWith();
  const named = async (name: string) => (await uploads.start(new File(['x'], name)).done()).filename;
  expect(await named('Büro 😀.txt')).toBe('Büro 😀.txt');
  expect(await named('a\\b/c\u202egpj.exe')).toBe('a_b_c_gpj.exe');
  expect(await named('😀'.repeat(300))).toBe('😀'.repeat(255));
  expect(await uploads.start(new Blob(['x'])).done()).not.toHaveProperty('filename');
});

test('one content under two names has two addresses', async () => {
  const content = { id: 'c', download_url: null, expiration: null };
  const asked: string[] = [];
  const { url } = createDownloads({
    fetch,
    send: (async ({ path }) => {
      asked.push(path);
      const expiration = new Date(Date.now() + 900_000).toISOString();
      return { body: { download_url: `https://a.test${path}`, expiration } };
    }) as SendRequest,
  });
  const [one, other] = ['/content/c?filename=a', '/content/c?filename=b'];
  for (const refresh_url of [one, other, one])
    expect(await url({ ...content, refresh_url })).toBe(`https://a.test${refresh_url}`);
  expect(asked).toEqual([one, other]);
});

test('a file of this device has one object URL, also from the store, until the client ends', async () => {
  const content = { id: 'c', download_url: null, expiration: null, refresh_url: '/content/c' };
  const { url, stop } = createDownloads({ fetch, send, fileOf: async () => new Blob(['bytes']) });
  const address = await url(content);
  expect(await (await fetch(address)).text()).toBe('bytes');
  expect(await url(content)).toBe(address);
  stop();
  await expect(fetch(address)).rejects.toThrow();
});

test('an empty file arrives', async () => {
  const upload = uploadsWith().uploads.start(new Blob([], { type: 'image/png' }));
  expect(await stored((await upload.done()).content.id)).toHaveLength(0);
});

test('after a broken connection an upload goes on behind what is stored', async () => {
  const bytes = randomBytes(1_000 * KIB);
  const link = failingAfter(1);
  const upload = uploadsWith(link.fetch).uploads.start(new Blob([bytes], { type: 'image/png' }));
  await untilStatus(upload, 'waiting');
  await until('the failure is shown', () => upload.getSnapshot().error?.id === 'network_error' || undefined);
  link.repair();
  expect((await stored((await upload.done()).content.id)).equals(bytes)).toBe(true);
});

test('an upload waits while the application wants no connection, and goes on as soon as it wants one', async () => {
  const waiting = createWaiting();
  const arrived = Promise.withResolvers<void>();
  let pieces = 0;
  // The second piece is on its way when the application disconnects.
  const gate = createGate(async (input, init) => {
    if (init?.method !== 'PATCH' || ++pieces !== 2) return fetch(input, init);
    arrived.resolve();
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  });
  const { uploads } = uploadsWith(gate.fetch, waiting.wait);
  const upload = uploads.start(new Blob([randomBytes(600 * KIB)], { type: 'image/png' }));
  await arrived.promise;
  gate.set(false);
  await untilStatus(upload, 'waiting');
  expect([upload.getSnapshot().error?.id, upload.getSnapshot().sent, pieces]).toEqual([
    'network_error',
    256 * KIB,
    2,
  ]);
  await expect(gate.fetch('http://127.0.0.1:9')).rejects.toThrow('disconnected');
  gate.set(true);
  waiting.wake();
  expect(await upload.done()).toMatchObject({ content: { size: 600 * KIB } });
});

test('an upload is paused and resumed', async () => {
  const link = failingAfter(1);
  const upload = uploadsWith(link.fetch).uploads.start(
    new Blob([randomBytes(600 * KIB)], { type: 'image/png' }),
  );
  await until('the first piece is stored', () => upload.getSnapshot().sent > 0 || undefined);
  upload.pause();
  await untilStatus(upload, 'paused');
  link.repair();
  const { sent } = link;
  upload.resume();
  await upload.done();
  expect(link.sent).toBeGreaterThan(sent);
});

test('an upload goes on after a reload, also where the store keeps no files', async () => {
  const file = new Blob([randomBytes(600 * KIB)], { type: 'image/png' });
  const before = uploadsWith(failingAfter(1).fetch);
  const { id } = before.uploads.start(file, { data: 'c1' });
  const first = before.uploads.get(id);
  await until('the first piece is stored', () => (first?.getSnapshot().sent ?? 0) > 0 || undefined);
  before.stop();
  const after = uploadsWith();
  await after.restore();
  expect(after.uploads.get(id)?.getSnapshot().data).toBe('c1');
  await after.uploads.get(id)?.done();

  const { blobs: _, ...keepingNoFiles } = await memoryStorage().open(randomUUID());
  store = keepingNoFiles;
  const broken = uploadsWith(failingAfter(1).fetch);
  const other = broken.uploads.start(file);
  await until('the first piece is stored', () => other.getSnapshot().sent > 0 || undefined);
  broken.stop();
  const again = uploadsWith();
  await again.restore();
  const restored = again.uploads.get(other.id);
  expect(restored?.getSnapshot().status).toBe('paused');
  expect(() => restored?.resume()).toThrow('The file is needed');
  expect(() => restored?.resume(new Blob(['other']))).toThrow('another file');
  restored?.resume(file);
  expect(await restored?.done()).toMatchObject({ content: { size: file.size } });
});

test('an aborted upload is gone, here and at the platform', async () => {
  const link = failingAfter(1);
  const handle = uploadsWith(link.fetch);
  const upload = handle.uploads.start(new Blob([randomBytes(600 * KIB)], { type: 'image/png' }));
  await until('the first piece is stored', () => upload.getSnapshot().sent > 0 || undefined);
  const { contentId } = upload.getSnapshot();
  const failure = expect(upload.done()).rejects.toMatchObject({ id: 'upload_aborted' });
  await upload.abort();
  await failure;
  expect(handle.uploads.getSnapshot().items).toEqual([]);
  expect(await store.list('uploads', { group: '' })).toEqual([]);
  await ada.call('GET', `/content/${contentId?.split('/').pop()}`, 404);
});

test('the address of a download is renewed when it has expired', async () => {
  const { uploads } = uploadsWith();
  const part = await uploads.start(new Blob(['bytes'], { type: 'image/png' })).done();
  const content = (await ada.call('GET', `/content/${part.content.id.split('/').pop()}`, 200)).body;
  const downloads = createDownloads({ send, fetch });
  expect(await downloads.url(content)).toBe(content.download_url);
  const expired = { ...content, expiration: new Date(0).toISOString() };
  expect(await (await fetch(await downloads.url(expired))).text()).toBe('bytes');
  const forged = {
    ...content,
    id: randomUUID(),
    download_url: content.download_url.replace(/signature=\w/, 'signature=0'),
  };
  expect(await (await createDownloads({ send, fetch }).blob(forged)).text()).toBe('bytes');
  const gone = { ...expired, id: randomUUID(), refresh_url: `${ada.app.baseUrl}/content/${randomUUID()}` };
  await expect(createDownloads({ send, fetch }).url(gone)).rejects.toThrow('404');
});
