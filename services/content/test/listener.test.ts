import { describeListener } from '@parley/kit/http/testing/listener-rules';
import { createUpload, send } from './support/client.ts';
import { startContent, type Platform } from './support/platform.ts';

let platform: Platform;
let download = '';
let blob = '';
let upload = '';

beforeAll(async () => {
  platform = await startContent({
    streamDownloads: true,
    uploadTokenRate: { perSecond: 1_000, burst: 10_000 },
  });
  const { service } = platform;
  const finished = await createUpload(platform, { size: 5 });
  await send(finished.url, { body: Buffer.from('hello') });
  const { items } = await platform.content.getContents({ appId: finished.appId, ids: [finished.id] });
  download = targetOf(items[0]?.downloadUrl ?? '');
  const expiresAt = platform.clock.now() + 60_000;
  const key = `content/${finished.appId}/${finished.id}`;
  blob = targetOf(await service.context.blobs.presign(key, { contentType: 'text/plain', expiresAt }));
  upload = targetOf((await createUpload(platform, { size: 2 })).url);
});
afterAll(() => platform.stop());

function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

const TUS = [
  'Tus-Resumable: 1.0.0',
  'Content-Type: application/offset+octet-stream',
  'Upload-Offset: 7',
] as const;

describeListener('content', () => ({
  port: platform.service.address.http_port,
  host: 'content.example',
  reads: [{ target: download }, { target: blob }],
  unknown: [download.replace('/downloads', '/Downloads'), blob.replace('/blobs', '/BLOBS'), '/UPLOADS/x'],
  writes: [
    { method: 'PUT', target: upload, lines: ['Content-Range: bytes 9-9/9'] },
    { method: 'POST', target: upload, lines: ['Content-Range: bytes 9-9/9'] },
    { method: 'PATCH', target: upload, lines: TUS },
  ],
  isApi: true,
  tagged: [{ target: download }, { target: blob }],
  cached: ['/downloads/', '/blobs/'],
}));

test('every answer about an upload is kept by no cache, and says which request it was', async () => {
  const asked: [method: string, headers: Record<string, string>, status: number][] = [
    ['OPTIONS', {}, 204],
    ['HEAD', { 'tus-resumable': '1.0.0' }, 200],
    ['PUT', { 'content-range': 'bytes */2' }, 308],
    ['GET', {}, 405],
    ['PUT', { 'content-range': 'nonsense' }, 400],
    ['DELETE', {}, 499],
    ['PUT', {}, 410],
  ];
  const url = `http://127.0.0.1:${platform.service.address.http_port}${upload}`;
  for (const [method, headers, status] of asked) {
    const answer = await send(url, { method, headers: { ...headers, 'x-request-id': 'mine' } });
    const { headers: given } = answer;
    expect([method, answer.status]).toEqual([method, status]);
    expect([
      given.get('cache-control'),
      given.get('x-content-type-options'),
      given.get('x-request-id'),
    ]).toEqual([...['no-store', 'nosniff', 'mine']]);
  }
});
