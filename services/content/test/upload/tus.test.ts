import { mkdir, rmdir } from 'node:fs/promises';
import { Upload as TusUpload, type UploadOptions } from 'tus-js-client';
import { startContent, type Platform } from '../support/platform.ts';
import {
  askStatus,
  createUpload,
  download,
  PIECE,
  randomData,
  send,
  sendPiece,
  sha256,
  type Upload,
} from '../support/client.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startContent();
});
afterAll(() => platform.stop());

function create(size: number): Promise<Upload> {
  return createUpload(platform, { size });
}
const tus = { 'tus-resumable': '1.0.0' };
const patching = { ...tus, 'content-type': 'application/offset+octet-stream' };

/** tus-js-client's own upload, as an application runs it; resolves when it says that all is done. */
function tusUpload(upload: Upload, data: Buffer, options: Partial<UploadOptions> = {}) {
  let client: TusUpload | undefined;
  const done = new Promise<void>((resolve, reject) => {
    client = new TusUpload(data, {
      uploadUrl: upload.url,
      uploadSize: data.length,
      chunkSize: 3 * PIECE + 777,
      retryDelays: [0, 50, 100],
      onSuccess: () => resolve(),
      onError: reject,
      ...options,
    });
    client.start();
  });
  return { done, abort: () => client?.abort() };
}

test('tus-js-client uploads to the address, in chunks of any size', async () => {
  const data = randomData(12 * PIECE + 345);
  const upload = await create(data.length);
  await tusUpload(upload, data).done;
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('tus-js-client continues an upload that was begun by either protocol', async () => {
  const data = randomData(8 * PIECE);
  const upload = await create(data.length);
  await sendPiece(upload, data, [0, 2 * PIECE]);
  const offsets: number[] = [];
  await tusUpload(upload, data, {
    onBeforeRequest: (request) => {
      const offset = request.getHeader('Upload-Offset');
      if (offset !== undefined) offsets.push(Number(offset));
    },
  }).done;
  expect(offsets[0]).toBe(2 * PIECE);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('HEAD returns the offset and the time of expiry', async () => {
  const upload = await create(1000);
  await send(upload.url, {
    method: 'PATCH',
    headers: { ...patching, 'upload-offset': '0' },
    body: randomData(300),
  });
  const { status, headers } = await send(upload.url, { method: 'HEAD', headers: tus });
  expect(status).toBe(200);
  expect(headers.get('upload-offset')).toBe('300');
  expect(headers.get('upload-length')).toBe('1000');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(Date.parse(headers.get('upload-expires') ?? '')).toBeGreaterThan(
    platform.clock.now() + 6 * 86_400_000,
  );
});

test('a wrong offset is answered with 409, a wrong type with 415, another version with 412, too many bytes with 400', async () => {
  const upload = await create(1000);
  const patch = async (headers: Record<string, string>, size = 10) =>
    (await send(upload.url, { method: 'PATCH', headers, body: randomData(size) })).status;
  expect(await patch({ ...patching, 'upload-offset': '5' })).toBe(409);
  expect(await patch({ ...tus, 'upload-offset': '0', 'content-type': 'text/plain' })).toBe(415);
  expect(await patch({ 'upload-offset': '0', 'content-type': patching['content-type'] })).toBe(412);
  expect(await patch({ ...patching, 'upload-offset': '0' }, 1001)).toBe(400);
  expect(await patch(patching)).toBe(400);
  expect((await askStatus(upload)).headers.get('range')).toBeNull();
});

test.each(['', '+0', '0x0', '0.0', '1e1', '-0', '9'.repeat(400)])(
  'the offset %j is no whole number',
  async (offset) => {
    const upload = await create(1000);
    const headers = { ...patching, 'upload-offset': offset };
    const { status } = await send(upload.url, { method: 'PATCH', headers, body: randomData(10) });
    expect(status).toBe(400);
  },
);

test('an upload whose last bytes are stored but that could not be completed is completed by HEAD', async () => {
  const data = randomData(1000);
  const upload = await create(data.length);
  const patch = (from: number, to: number) =>
    send(upload.url, {
      ...{ method: 'PATCH', headers: { ...patching, 'upload-offset': String(from) } },
      body: data.subarray(from, to),
    });
  const head = () => send(upload.url, { method: 'HEAD', headers: tus });
  expect((await patch(0, 300)).status).toBe(204);
  // In the way of the file that completes the blob, as a full disk is.
  const inTheWay = `${platform.folder}/content/${upload.appId}/${upload.id}/manifest.json.new`;
  await mkdir(inTheWay);
  const refused = await patch(300, 1000);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  expect((await head()).status).toBe(503);
  await rmdir(inTheWay);
  // One completes it while the others wait.
  const answers = await Promise.all([head(), head(), head()]);
  for (const { status, headers } of answers)
    expect([status, headers.get('upload-offset')]).toEqual([200, '1000']);
  expect(sha256(await download(platform, upload))).toBe(sha256(data));
});

test('OPTIONS returns the version and the extensions', async () => {
  const { status, headers } = await send((await create(1)).url, { method: 'OPTIONS', headers: tus });
  expect(status).toBe(204);
  expect(headers.get('tus-version')).toBe('1.0.0');
  expect(headers.get('tus-extension')).toBe('termination,expiration');
});

test('DELETE terminates an upload: 204, then 410', async () => {
  const upload = await create(1000);
  expect((await send(upload.url, { method: 'DELETE', headers: tus })).status).toBe(204);
  expect((await send(upload.url, { method: 'HEAD', headers: tus })).status).toBe(410);
});
