import { createHash, randomBytes } from 'node:crypto';
import { request } from 'undici';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

// docs/protocol/uploads.md

const PIECE = 256 * 1024;
let app: TestApp;
let alice: TestUser;
let bob: TestUser;
let conversation: string;

beforeAll(async () => {
  app = await createApp(await platform());
  [alice, bob] = [await app.login('alice'), await app.login('bob')];
  const { body } = await alice.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  conversation = uuidOf(body.id);
});

function headersOf(size: number, type = 'video/mp4', origin?: string) {
  return {
    'upload-content-type': type,
    'upload-content-length': String(size),
    'upload-origin': origin,
  };
}

async function ask(user: TestUser, size: number) {
  return (await user.call('POST', '/content', 201, { headers: headersOf(size) })).body;
}

async function put(url: string, data: Buffer, headers: Record<string, string> = {}) {
  const { statusCode, headers: answered, body } = await request(url, { method: 'PUT', headers, body: data });
  return { status: statusCode, headers: answered, text: await body.text() };
}

function sha(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

async function fetchAll(url: string): Promise<{ data: Buffer; type: string | null }> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return { data: Buffer.from(await answer.arrayBuffer()), type: answer.headers.get('content-type') };
}

async function uploaded(user: TestUser, data: Buffer) {
  const content = await ask(user, data.length);
  expect((await put(content.upload_url, data)).status).toBe(200);
  return content;
}

function sendContent(user: TestUser, content: unknown, expected = 201) {
  return user.call('POST', `/conversations/${conversation}/messages`, expected, {
    body: { parts: [textPart('look'), { mime_type: 'video/mp4', content }] },
  });
}

test('a user uploads in pieces, sends it, and the receiver downloads the same bytes', async () => {
  const data = randomBytes(2 * PIECE + 1000);
  const socket = await bob.connect();
  const { headers, body: content } = await alice.call('POST', '/content', 201, {
    headers: headersOf(data.length),
  });
  expect(content).toMatchObject({
    id: expect.stringMatching(/^svc:\/\/\/content\/[0-9a-f-]{36}$/),
    size: data.length,
    download_url: null,
    expiration: null,
    refresh_url: `${app.baseUrl}/content/${uuidOf(content.id)}`,
  });
  expect(headers['location']).toBe(content.refresh_url);
  const piece = (from: number, to: number) =>
    put(content.upload_url, data.subarray(from, to), {
      'content-range': `bytes ${from}-${to - 1}/${data.length}`,
    });
  const first = await piece(0, PIECE);
  expect([first.status, first.headers['range']]).toEqual([308, `bytes=0-${PIECE - 1}`]);
  expect((await piece(PIECE, 2 * PIECE)).status).toBe(308);
  const last = await piece(2 * PIECE, data.length);
  expect([last.status, JSON.parse(last.text).id]).toEqual([200, content.id]);

  const { body: sent } = await sendContent(alice, { id: content.id, size: data.length });
  const shown = sent.parts[1].content;
  expect(shown).toMatchObject({ id: content.id, size: data.length, upload_url: null });
  expect(Date.parse(shown.expiration)).toBeGreaterThan(Date.now() + 14 * 60_000);
  const { data: got, type } = await fetchAll(shown.download_url);
  expect([sha(got), type]).toEqual([sha(data), 'video/mp4']);

  const packet = await socket.waitFor(
    'the message',
    (p) => p.type === 'change' && p.body.object.type === 'Message' && p.body.operation === 'create',
  );
  const live = packet.body.data.parts[1].content;
  expect(sha((await fetchAll(live.download_url)).data)).toBe(sha(data));
  const { body: read } = await bob.call('GET', `/messages/${uuidOf(sent.id)}`, 200);
  expect(sha((await fetchAll(read.parts[1].content.download_url)).data)).toBe(sha(data));
  await socket.close();
});

test('a recipient refreshes the address; a user who does not see the message gets 404', async () => {
  const data = randomBytes(1000);
  const content = await uploaded(alice, data);
  const path = `/content/${uuidOf(content.id)}`;
  await bob.call('GET', path, 404);
  await sendContent(alice, { id: content.id });
  const { body } = await bob.call('GET', path, 200);
  expect(body).toMatchObject({ id: content.id, upload_url: null, expiration: expect.any(String) });
  expect((await fetchAll(body.download_url)).data).toEqual(data);
  await (await app.login('carol')).call('GET', path, 404);
  await (await (await createApp(await platform())).login('alice')).call('GET', path, 404);
});

test('content that was never uploaded cannot be refreshed, even by its creator', async () => {
  const content = await ask(alice, 10);
  const { body } = await alice.call('GET', `/content/${uuidOf(content.id)}`, 404);
  expect(body.id).toBe('not_found');
});

test('a server uploads below a conversation, and as a user', async () => {
  const data = randomBytes(500);
  const path = `/conversations/${conversation}/content`;
  const { body: content } = await app.server('POST', path, 201, { headers: headersOf(data.length) });
  expect(content.refresh_url).toBe(`${app.baseUrl}/apps/${app.appUuid}${path}/${uuidOf(content.id)}`);
  await app.server('GET', `${path}/${uuidOf(content.id)}`, 404);
  await put(content.upload_url, data);
  const { body } = await app.server('GET', `${path}/${uuidOf(content.id)}`, 200);
  expect((await fetchAll(body.download_url)).data).toEqual(data);

  const { body: asAlice } = await app.server('POST', '/users/alice/content', 201, { headers: headersOf(1) });
  expect(asAlice.refresh_url).toContain(`/apps/${app.appUuid}/users/alice/content/`);
  await put(asAlice.upload_url, Buffer.from('x'));
  await alice.call('GET', `/content/${uuidOf(asAlice.id)}`, 200);
  await app.server('POST', '/conversations/01990000-0000-7000-8000-000000000000/content', 404, {
    headers: headersOf(1),
  });
});

test.each([
  ['Upload-Content-Type', { ...headersOf(1), 'upload-content-type': undefined }],
  ['Upload-Content-Type', headersOf(1, 'video')],
  ['Upload-Content-Length', { ...headersOf(1), 'upload-content-length': undefined }],
  ['Upload-Content-Length', { ...headersOf(1), 'upload-content-length': '-1' }],
  ['Upload-Content-Length', { ...headersOf(1), 'upload-content-length': '1e3' }],
  ['Upload-Content-Length', headersOf(2 * 1024 ** 3 + 1)],
  ['Upload-Origin', headersOf(1, 'image/png', 'app.example.com/path')],
  ...['%', '%zz', '%ff', 'a%2Fb', 'a%5Cb', 'a%0D%0Ab', '%E2%80%AE', '%ED%A0%80', 'é', 'a'.repeat(256)].map(
    (name): [string, Record<string, string | undefined>] => [
      'Upload-Content-Filename',
      { ...headersOf(1), 'upload-content-filename': name },
    ],
  ),
])('a missing or malformed %s is refused', async (header, headers) => {
  const { body } = await alice.call('POST', '/content', 422, { headers });
  expect(body).toMatchObject({ id: 'invalid_property', data: { header } });
});

test('a message refers only to content of the same app that is uploaded', async () => {
  const refused = async (of: unknown, property: string) => {
    const { body } = await sendContent(alice, of, 422);
    expect(body).toMatchObject({ id: 'invalid_property', data: { property } });
  };
  await refused({ id: (await ask(alice, 100)).id, size: 100 }, 'parts.1.content.id');
  await refused({ id: 'svc:///content/01990000-0000-7000-8000-000000000000' }, 'parts.1.content.id');
  const stranger = await (await createApp(await platform())).login('alice');
  await refused({ id: (await uploaded(stranger, randomBytes(100))).id, size: 100 }, 'parts.1.content.id');
  const socket = await alice.connect();
  const response = await socket.request('Message.create', {
    object_id: `svc:///conversations/${conversation}`,
    data: { parts: [{ mime_type: 'video/mp4', content: { id: (await ask(alice, 100)).id, size: 100 } }] },
  });
  expect(response).toMatchObject({ success: false, data: { id: 'invalid_property' } });
  await socket.close();
});

describe('where the size that a sender says is not that of the upload, the upload’s is stored and answered', () => {
  let content: Json;
  const part = (size: number) => ({ mime_type: 'text/plain', content: { id: content.id, size } });

  beforeEach(async () => {
    content = await uploaded(alice, Buffer.from('Здравствуйте'));
  });

  test('in a message of a client, by REST and over a socket', async () => {
    const path = `/conversations/${conversation}/messages`;
    const { body: sent } = await alice.call('POST', path, 201, { body: { parts: [part(12)] } });
    expect(sent.parts[0].content.size).toBe(24);
    const { body: read } = await alice.call('GET', `/messages/${uuidOf(sent.id)}`, 200);
    expect(read.parts[0].content.size).toBe(24);
    const socket = await alice.connect();
    const { success, data } = await socket.request('Message.create', {
      object_id: `svc:///conversations/${conversation}`,
      data: { parts: [part(12)] },
    });
    expect([success, data.parts[0].content.size]).toEqual([true, 24]);
    await socket.close();
  });

  test('in a message of a server, and in each edit', async () => {
    const path = `/conversations/${conversation}/messages`;
    const body = { sender_id: 'alice', parts: [part(12)] };
    const { body: sent } = await app.server('POST', path, 201, { body });
    expect(sent.parts[0].content.size).toBe(24);
    const parts = `${path}/${uuidOf(sent.id)}/parts`;
    const { body: added } = await app.server('POST', parts, 201, { body: part(0) });
    const { body: updated } = await app.server('PUT', `${parts}/${added.id.split('/').at(-1)}`, 200, {
      body: part(99),
    });
    const { body: replaced } = await app.server('PUT', parts, 200, { body: [part(1)] });
    expect([added, updated, replaced[0]].map((shown) => shown.content.size)).toEqual([24, 24, 24]);
    const { body: edited } = await alice.call('POST', `/messages/${uuidOf(sent.id)}/parts`, 201, {
      body: part(12),
    });
    expect(edited.content.size).toBe(24);
  });
});

test('content is deleted with the last message that refers to it', async () => {
  const content = await uploaded(alice, randomBytes(100));
  const path = `/content/${uuidOf(content.id)}`;
  const [one, two] = [
    await sendContent(alice, { id: content.id }),
    await sendContent(alice, { id: content.id }),
  ];
  const { body: before } = await alice.call('GET', path, 200);
  const remove = ({ body }: { body: { id: string } }) =>
    alice.call('DELETE', `/messages/${uuidOf(body.id)}?mode=all_participants`, 204);
  await remove(one);
  await remove(two);
  await until('the download address is dead', async () => (await fetch(before.download_url)).status === 404);
  await alice.call('GET', path, 404);
  await sendContent(alice, { id: content.id }, 422);
});
