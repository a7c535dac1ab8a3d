import { startFlooder, type Flood, type Flooder } from '@parley/testing';
import { createUpload, send } from './support/client.ts';
import { startContent, type Platform } from './support/platform.ts';

// What a flood of refusals costs the content service, beside one of the cheapest requests to an address that is served. No limit
// refuses here: the limit bounds the number of refusals, not what one costs.

const REQUESTS = 200;
/** Processor times of one and the same flood differ by half on a busy machine. */
const MOST = 2;
const ROUNDS = 4;
const SIZE = 1_000;
const WRONG = '/uploads/wrong-token';

type Asked = Omit<Flood, 'port' | 'requests'>;

let platform: Platform;
let flooder: Flooder;
/** The paths of an upload that waits for its bytes, of one that was cancelled, and of a download. */
let paths: Record<'open' | 'ended' | 'download', string>;

beforeAll(async () => {
  flooder = startFlooder();
  const most = 1_000_000_000;
  platform = await startContent({ uploadTokenRate: { perSecond: most, burst: most }, streamDownloads: true });
  const [open, ended, finished] = [await upload(), await upload(), await upload()];
  expect((await send(ended.url, { method: 'DELETE' })).status).toBe(499);
  expect((await send(finished.url, { body: Buffer.alloc(SIZE) })).status).toBe(200);
  const { items } = await platform.content.getContents({ appId: finished.appId, ids: [finished.id] });
  paths = {
    open: pathOf(open.url),
    ended: pathOf(ended.url),
    download: pathOf(items[0]?.downloadUrl ?? ''),
  };
});
afterAll(async () => {
  flooder.stop();
  await platform.stop();
});

const upload = () => createUpload(platform, { size: SIZE });
const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;
const of = (...request: Asked['request']): Asked => ({ request });
const tus = (start: string, ...headers: string[]): Asked => of(start, 'Tus-Resumable: 1.0.0', ...headers);
const OCTETS = 'Content-Type: application/offset+octet-stream';

/** The cheapest served requests: to an upload, which is looked up; and to a download, which is not. */
const served = {
  upload: () => tus(`HEAD ${paths.open}`),
  download: () => of(`OPTIONS ${paths.download}`),
};

const REFUSED: readonly [name: string, beside: keyof typeof served, status: number, asked: () => Asked][] = [
  ['an unknown path', 'download', 404, () => of('GET /nothing')],
  ['a blob without a signature', 'download', 403, () => of('GET /blobs/nothing')],
  ['a wrong download signature', 'download', 403, () => of(`GET ${paths.download}x`)],
  ['a download address that is none', 'download', 403, () => of('GET /downloads/nothing')],
  ['another method of a download', 'download', 405, () => of(`PUT ${paths.download}`, 'Content-Length: 0')],
  ['an unknown upload token', 'upload', 404, () => of(`PUT ${WRONG}`, 'Content-Length: 0')],
  ['an unknown upload token with a body', 'upload', 404, () => ({ ...of(`PUT ${WRONG}`), body: 'x' })],
  ['an unknown upload token of tus', 'upload', 404, () => tus(`HEAD ${WRONG}`)],
  ['an upload that has ended', 'upload', 410, () => of(`PUT ${paths.ended}`, 'Content-Length: 0')],
  [
    'a Content-Range that is none',
    'upload',
    400,
    () => of(`PUT ${paths.open}`, 'Content-Range: x', 'Content-Length: 0'),
  ],
  [
    'a Content-Range beyond the upload',
    'upload',
    400,
    () => ({ ...of(`PUT ${paths.open}`, 'Content-Range: bytes 0-5000/5001'), body: 'x' }),
  ],
  [
    'a body that is too large',
    'upload',
    400,
    () => ({ ...of(`PUT ${paths.open}`), body: 'x'.repeat(1_001) }),
  ],
  ['another version of tus', 'upload', 412, () => of(`HEAD ${paths.open}`, 'Tus-Resumable: 0.2.2')],
  ['another media type of tus', 'upload', 415, () => tus(`PATCH ${paths.open}`, 'Content-Length: 0')],
  ['tus without an offset', 'upload', 400, () => ({ ...tus(`PATCH ${paths.open}`, OCTETS), body: 'x' })],
  [
    'tus beyond the upload',
    'upload',
    400,
    () => ({ ...tus(`PATCH ${paths.open}`, OCTETS, `Upload-Offset: ${SIZE}`), body: 'x' }),
  ],
  ['another method of an upload', 'upload', 405, () => of(`GET ${paths.open}`)],
];

async function measure(asked: Asked): Promise<{ cost: number; statuses: string[] }> {
  const port = platform.service.address.http_port;
  const { microseconds, statuses } = await flooder.costOf({ ...asked, port, requests: REQUESTS });
  return { cost: microseconds, statuses: Object.keys(statuses) };
}

test.each(REFUSED)(
  'a flood of %s costs no more than one that is served',
  async (_, beside, status, asked) => {
    let least = Infinity;
    for (let round = 0; round < ROUNDS && least > MOST; round++) {
      const cheapest = await measure(served[beside]());
      const refused = await measure(asked());
      expect([cheapest.statuses, refused.statuses]).toEqual([
        [beside === 'upload' ? '200' : '204'],
        [String(status)],
      ]);
      least = Math.min(least, refused.cost / cheapest.cost);
    }
    expect(least).toBeLessThanOrEqual(MOST);
  },
);
