import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '@parley/domain/ids';
import { testWith, until } from '@parley/testing';
import { expectProblem } from '@parley/domain/testing/problems';
import { startContent, type Platform } from './support/platform.ts';
import { sendShredded } from '@parley/testing/shredded-request';
import { slowPut, type SlowPut } from './support/slow-put.ts';
import {
  askStatus,
  createUpload,
  PIECE,
  randomData,
  send,
  sendPiece,
  storedOf,
  type Upload,
} from './support/client.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startContent({ maxContentBytes: 1000, maxUploadsPerUser: 3 });
});
afterAll(() => platform.stop());

const appId = newId();
function ask(request: object) {
  return platform.content.createContent({
    appId,
    userId: newId(),
    size: 10,
    contentType: 'image/png',
    ...request,
  });
}

test.each([
  ['Upload-Content-Length', { size: 1001 }],
  ['Upload-Content-Length', { size: -1 }],
  ['Upload-Content-Length', { size: 1.5 }],
  ['Upload-Content-Type', { contentType: 'png' }],
  ['Upload-Content-Type', { contentType: 'image/png\r\nx: y' }],
  ['Upload-Content-Type', { contentType: '' }],
  ['Upload-Content-Filename', { filename: 'a/b' }],
  ['Upload-Content-Filename', { filename: '\u202egpj.exe' }],
  ['Upload-Content-Filename', { filename: '😀'.repeat(256) }],
  ['Upload-Origin', { origin: 'app.example.com' }],
  ['Upload-Origin', { origin: 'https://app.example.com/' }],
  ['Upload-Origin', { origin: 'file:///' }],
])('a wrong %s is refused', async (header, request) => {
  await expectProblem(ask(request), 'invalid_property', { header });
});

test('the largest size, parameters of the type and an origin with a port are fine', async () => {
  const { content, uploadUrl } = await ask({
    size: 1000,
    contentType: 'text/plain; charset="utf-8"',
    origin: 'http://localhost:3000',
  });
  expect(content).toMatchObject({ size: 1000, contentType: 'text/plain; charset="utf-8"' });
  expect(uploadUrl).toMatch(/\/uploads\/[\w-]{43}$/);
});

test('the number of a user’s unfinished uploads is limited; complete or stalled ones do not count', async () => {
  const userId = newId();
  const many = await Promise.allSettled([1, 2, 3, 4, 5].map(() => ask({ userId })));
  expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  await expectProblem(ask({ userId }), 'rate_limit_exceeded', {});
  await ask({ userId: newId() });
  const [first] = many.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  await send(first?.uploadUrl ?? '', { body: randomData(10) });
  await ask({ userId });
  await expectProblem(ask({ userId }), 'rate_limit_exceeded', {});
  platform.clock.advance(11 * 60_000);
  await ask({ userId });
});

test('transfers beyond a process’s limit are answered with 503 and Retry-After', async () => {
  const busy = await startContent({ maxTransfers: 0 });
  const upload = await createUpload(busy, { size: 10 });
  const reply = await send(upload.url, { body: randomData(10) });
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
  await busy.stop();
});

test('stalled uploads leave capacity for other users and for other applications', async () => {
  const busy = await startContent({ maxTransfers: 8 });
  const stall = async (userId: string): Promise<SlowPut> => {
    const { url } = await createUpload(busy, { appId, userId, size: 10 });
    const put = slowPut(url, { 'content-length': 10 });
    await put.write(randomData(1));
    return put;
  };
  const areUnderWay = (count: number) =>
    until(() => (busy.service.context.transfers.active === count ? true : undefined), {
      withinMs: 10_000,
      what: `${count} uploads are under way`,
    });
  const sendAs = async (user: { appId: string; userId: string }) => {
    const { url } = await createUpload(busy, { ...user, size: 10 });
    const { status, json, headers } = await send(url, { body: randomData(10) });
    return [status, json['id'], headers.get('retry-after'), headers.get('ratelimit')];
  };
  const refused = [429, 'rate_limit_exceeded', '1', '"concurrency";r=0;t=1'];
  const stalled = [await stall('alice'), await stall('alice')];
  await areUnderWay(2);
  expect(await sendAs({ appId, userId: 'alice' })).toEqual(refused);
  expect((await sendAs({ appId, userId: 'bob' }))[0]).toBe(200);
  stalled.push(await stall('bob'), await stall('bob'));
  await areUnderWay(4);
  expect(await sendAs({ appId, userId: 'carol' })).toEqual(refused);
  expect((await sendAs({ appId: newId(), userId: 'alice' }))[0]).toBe(200);
  for (const put of stalled) put.cut();
  await areUnderWay(0);
  expect((await sendAs({ appId, userId: 'alice' }))[0]).toBe(200);
  await busy.stop();
});

describe('wrong upload tokens', () => {
  const burst = 20;
  const wrong = () => `/uploads/${randomData(32).toString('base64url')}`;
  const as = (address: string) => ({
    method: 'PUT',
    headers: { 'x-forwarded-for': `192.0.2.1, ${address}` },
  });
  let limited: Platform;
  beforeAll(async () => {
    const uploadTokenRate = { perSecond: 1, burst };
    limited = await startContent({ uploadTokenRate, trustedProxies: 1 });
  });
  afterAll(() => limited.stop());

  test('are refused by client address after too many, and known valid tokens are not', async () => {
    const upload = await createUpload(limited, { size: 10 });
    const late = await createUpload(limited, { size: 10 });
    const tryWrong = async (address: string, count: number) => {
      const replies = Array.from({ length: count }, () =>
        send(limited.config.contentUrl + wrong(), as(address)),
      );
      return (await Promise.all(replies)).map(({ status }) => status);
    };
    const status = { 'content-range': 'bytes */10', 'content-length': '0' };
    const ask = async ({ url }: Upload, address: string) => {
      const reply = await send(url, { headers: { ...status, 'x-forwarded-for': address } });
      return [reply.status, reply.json['id'], reply.headers.get('retry-after')];
    };
    const [goes, refused] = [
      [308, undefined, null],
      [429, 'rate_limit_exceeded', '1'],
    ];
    expect(await ask(upload, '203.0.113.1')).toEqual(goes);
    const first = await tryWrong('203.0.113.1', burst);
    expect(first).toEqual(first.map(() => 404));
    const more = await tryWrong('203.0.113.1', 50);
    expect(more).toEqual(more.map(() => 429));
    expect(await ask(late, '203.0.113.1')).toEqual(refused);
    expect(await ask(upload, '203.0.113.1')).toEqual(goes);
    expect(await ask(late, '203.0.113.2')).toEqual(goes);
    limited.clock.advance(60_000);
    expect(await ask(late, '203.0.113.1')).toEqual(goes);
  });

  test('are answered in a way that a page can read, also after too many', async () => {
    const ask = async (method: string) => {
      const { headers } = as('203.0.113.4');
      const reply = await send(limited.config.contentUrl + wrong(), { method, headers });
      const of = (name: string) => reply.headers.get(name);
      return {
        reply: [reply.status, of('retry-after'), of('ratelimit')],
        origin: of('access-control-allow-origin'),
        exposed: of('access-control-expose-headers')?.split(', ') ?? [],
      };
    };
    const replies = [];
    for (let count = 0; count <= burst; count += 1) replies.push(await ask('PUT'));
    expect(replies[0]?.reply).toEqual([404, null, null]);
    expect(replies.at(-1)?.reply).toEqual([429, '1', '"upload_token";r=0;t=1']);
    for (const { origin, exposed } of replies) {
      expect([origin, exposed.includes('Retry-After'), exposed.includes('RateLimit')]).toEqual([
        '*',
        true,
        true,
      ]);
    }
    expect(await ask('OPTIONS')).toMatchObject({ reply: [204, null, null], origin: '*' });
  });

  test('of a simultaneous burst are looked up no more often than the rate allows', async () => {
    const tries = Array.from({ length: 10 * burst }, () =>
      send(limited.config.contentUrl + wrong(), as('203.0.113.3')),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(burst);
  });
});

testWith('mount', 'a full disk is a 503, and the upload goes on when there is room again', async () => {
  const small = mountSmall();
  const blobs = {
    kind: 'folder' as const,
    root: path.join(small, 'blobs'),
    url: 'http://unused.test',
    secret: 'a secret of these tests',
    durable: true,
  };
  const full = await startContent({ blobs });
  try {
    const data = randomData(8 * PIECE);
    const upload = await createUpload(full, { size: data.length });
    await sendPiece(upload, data, [0, PIECE]);
    const ballast = path.join(small, 'ballast');
    writeFileSync(ballast, Buffer.alloc(3 * 1024 * 1024));
    const reply = await sendPiece(upload, data, [PIECE, data.length]);
    expect([reply.status, reply.json['id']]).toEqual([503, 'service_unavailable']);
    const stored = storedOf(await askStatus(upload));
    expect(stored).toBe(PIECE);
    rmSync(ballast);
    expect((await sendPiece(upload, data, [stored, data.length])).status).toBe(200);
  } finally {
    await full.stop();
    execFileSync('umount', ['-l', small]);
    rmdirSync(small);
  }
});

/** Four megabytes in memory. */
function mountSmall(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-small-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' });
  return folder;
}

test('the rest of an upload in pieces of one byte is not read, and its connection ends', async () => {
  const { url } = await createUpload(platform, { size: 900 });
  const status = await sendShredded(url, { method: 'PUT', headers: { 'content-range': 'bytes 0-899/900' } });
  expect(status).toBe(400);
});
