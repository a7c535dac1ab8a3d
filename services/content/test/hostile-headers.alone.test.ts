import { request } from 'node:http';
import { HEADER_LIMITS } from '@parley/domain/http/header-limits';
import { startContent, type Platform } from './support/platform.ts';
import { createUpload, send, type Upload } from './support/client.ts';

/** Length of a header with which, beside the others, the content service takes no more. */
const LENGTH = 15_000;
/** Processor time of a request to each door with each value; a quadratic parser takes as much for one of them. */
const ALLOWED_MS = 1_500;

/** Repeated, these are values that parsers of lists, quoted strings, ranges and dates take long for, if they take long. */
const PUMPS = [
  '"',
  '\\"',
  ',',
  ';',
  '=',
  '-',
  ' \t',
  '1',
  '0-1,',
  '1-0/',
  'a="b',
  'W/"',
  '[',
  '%',
  '(',
  '\xe9',
];
const BEGINNINGS: Readonly<Record<string, string>> = { range: 'bytes=', 'content-range': 'bytes ' };

let platform: Platform;
let open: Upload;
let downloadUrl = '';

beforeAll(async () => {
  platform = await startContent({ streamDownloads: true });
  open = await createUpload(platform, { size: 1_000 });
  const finished = await createUpload(platform, { size: 5 });
  await send(finished.url, { body: Buffer.from('hello') });
  const { items } = await platform.content.getContents({ appId: finished.appId, ids: [finished.id] });
  downloadUrl = items[0]?.downloadUrl ?? '';
});
afterAll(() => platform.stop());

const tus = {
  'tus-resumable': '1.0.0',
  'content-type': 'application/offset+octet-stream',
  'upload-offset': '0',
};
const doors = (): Asked[] => [
  { method: 'PUT', url: open.url, headers: {} },
  { method: 'HEAD', url: open.url, headers: tus },
  { method: 'PATCH', url: open.url, headers: tus },
  { method: 'OPTIONS', url: open.url, headers: {} },
  { method: 'GET', url: downloadUrl, headers: { range: 'bytes=0-1' } },
];

type Asked = { method: string; url: string; headers: Record<string, string> };

function ask({ method, url, headers }: Asked): Promise<number> {
  const asked = request(url, { method, headers, agent: false });
  return new Promise((resolve, reject) => {
    asked.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)));
    asked.on('error', reject).end();
  });
}

function valueOf(name: string, pump: string): string {
  return `${BEGINNINGS[name] ?? ''}${pump.repeat(Math.floor(LENGTH / pump.length))}x`;
}

test.each(
  [...Object.keys(HEADER_LIMITS), 'x-forwarded-for', 'upload-metadata'].filter((name) => name !== 'upgrade'),
)('no value of %s holds the content service, and none fails in it', async (name) => {
  const began = process.cpuUsage();
  const statuses: number[] = [];
  for (const pump of PUMPS) {
    const asked = doors().map((door) => ({
      ...door,
      headers: { ...door.headers, [name]: valueOf(name, pump) },
    }));
    statuses.push(...(await Promise.all(asked.map(ask))));
  }
  const { user, system } = process.cpuUsage(began);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect((user + system) / 1_000).toBeLessThan(ALLOWED_MS);
});

test('long headers are refused as malformed ones are', async () => {
  const statusOf = (method: string, headers: Record<string, string>) =>
    ask({ method, url: open.url, headers });
  const zeros = '0'.repeat(200);
  expect(await statusOf('PUT', { 'content-range': `bytes 0-${zeros}9/1000` })).toBe(400);
  expect(await statusOf('PATCH', { ...tus, 'upload-offset': zeros })).toBe(400);
  expect(await statusOf('PATCH', { ...tus, 'tus-resumable': `1.0.0${zeros}` })).toBe(412);
  expect(
    await statusOf('PATCH', { ...tus, 'content-type': `${tus['content-type']};${zeros.repeat(6)}` }),
  ).toBe(415);
  const download = (headers: Record<string, string>) => ask({ method: 'GET', url: downloadUrl, headers });
  expect(await download({ range: 'bytes=0-1' })).toBe(206);
  expect(await download({ range: `bytes=0-1,${' '.repeat(1_100)}2-3` })).toBe(200);
  expect(await download({ range: 'bytes=0-1', 'if-range': `"${zeros.repeat(6)}"` })).toBe(200);
});
