import { contentDisposition } from '@parley/blobs/content-disposition';
import { newId } from '@parley/domain/ids';
import { startContent, type Platform } from './support/platform.ts';
import { createUpload, randomData, send, type Upload } from './support/client.ts';

let platform: Platform;
let upload: Upload;
let url: string;
const data = randomData(9 * 1024 * 1024 + 11);

beforeAll(async () => {
  platform = await startContent();
  upload = await createUpload(platform, { size: data.length, contentType: 'text/html; charset=utf-8' });
  await send(upload.url, { body: data });
});
beforeEach(async () => {
  const { items } = await platform.content.getContents({ appId: upload.appId, ids: [upload.id] });
  url = items[0]?.downloadUrl ?? '';
});
afterAll(() => platform.stop());

function get(headers: Record<string, string> = {}, method = 'GET') {
  return send(url, { method, headers });
}

test('a download is an attachment of the declared type that browsers do not interpret', async () => {
  const { status, headers } = await get();
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain('sandbox');
  expect(headers.get('accept-ranges')).toBe('bytes');
  expect(headers.get('content-length')).toBe(String(data.length));
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

test.each([
  ['bytes=0-99', 0, 100],
  ['bytes=4194300-4194310', 4_194_300, 4_194_311],
  [`bytes=${data.length - 5}-`, data.length - 5, data.length],
  ['bytes=-7', data.length - 7, data.length],
  [`bytes=-${data.length + 1}`, 0, data.length],
  [`bytes=-${'9'.repeat(400)}`, 0, data.length],
  [`bytes=9000000-${data.length + 1000}`, 9_000_000, data.length],
])('the range %s is answered with a partial response', async (range, from, to) => {
  const response = await fetch(url, { headers: { range } });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${data.length}`);
  expect(Buffer.from(await response.arrayBuffer()).equals(data.subarray(from, to))).toBe(true);
});

test('a range beyond the end is answered with 416, several ranges or another version with the whole content', async () => {
  const beyond = await get({ range: `bytes=${data.length}-` });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${data.length}`]);
  expect((await get({ range: 'bytes=0-1,5-6' })).status).toBe(200);
  expect((await get({ range: 'bytes=0-1', 'if-range': '"another"' })).status).toBe(200);
  const etag = (await get({}, 'HEAD')).headers.get('etag') ?? '';
  expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
});

test('HEAD has the headers and no body; other methods are refused', async () => {
  const head = await get({}, 'HEAD');
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
    200,
    '',
    String(data.length),
  ]);
  const put = await get({}, 'PUT');
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('an address is valid for 15 minutes, and a forged one never', async () => {
  for (const forged of [
    url.replace(/expires=\d/, 'expires=9'),
    url.replace(/.$/, '.'),
    url.split('?')[0] ?? '',
  ]) {
    expect((await send(forged, { method: 'GET' })).status).toBe(403);
  }
  platform.clock.advance(15 * 60_000 - 1);
  expect((await get()).status).toBe(200);
  platform.clock.advance(1);
  const late = await get();
  expect([late.status, late.json['id']]).toEqual([403, 'access_denied']);
});

describe('the name under which a download is saved', () => {
  const appId = newId();
  /** Uploads, refers parts to it, and returns what a download says; `filename` is that of the part. */
  async function savedAs(
    asked: { contentType?: string; filename?: string },
    { names = [], filename }: { names?: string[]; filename?: string } = {},
  ): Promise<string | null> {
    const one = await createUpload(platform, { size: 1, appId, ...asked });
    await send(one.url, { body: randomData(1) });
    for (const name of names) {
      const claim = { appId, messageId: newId(), conversationId: newId(), senderId: 'alice' };
      await platform.content.claimContents({ ...claim, items: [{ contentId: one.id, name }] });
    }
    const { downloads, clock } = platform.service.context;
    const signed = downloads.sign({ appId, contentId: one.id, filename }, clock.now());
    const reply = await send(signed.url, { method: 'GET' });
    expect(reply.status).toBe(200);
    return reply.headers.get('content-disposition');
  }
  const type = 'text/plain; name="type.txt"';

  test.each([
    ['none', {}, {}, 'attachment'],
    ['that in the media type', { contentType: type }, {}, contentDisposition('type.txt')],
    [
      'the first that a part’s media type has',
      {},
      { names: ['', 'one.txt', 'two.txt'] },
      contentDisposition('one.txt'),
    ],
    [
      'that of the upload before it',
      { filename: 'up.txt', contentType: type },
      { names: ['one.txt'] },
      contentDisposition('up.txt'),
    ],
    [
      'that of the part before all',
      { filename: 'up.txt', contentType: type },
      { filename: '..' },
      contentDisposition('..'),
    ],
    ['none that is a path', { contentType: 'text/plain; name="../x"' }, { names: ['a/b'] }, 'attachment'],
  ])('is %s', async (_which, asked, part, expected) => {
    expect(await savedAs(asked, part)).toBe(expected);
  });

  test('may be 255 characters of four bytes', async () => {
    const filename = '😀'.repeat(255);
    expect(await savedAs({}, { filename })).toBe(contentDisposition(filename));
  });
});
