import { createApp, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';

// docs/protocol/uploads.md#names-of-files

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

/** A content of one byte, as the answer to its upload shows it. */
async function uploaded(more: Record<string, string> = {}): Promise<Json> {
  const headers = { 'upload-content-type': 'text/plain', 'upload-content-length': '1', ...more };
  const { body } = await alice.call('POST', '/content', 201, { headers });
  const answer = await fetch(body.upload_url, { method: 'PUT', body: 'x' });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Json;
}

const HOSTILE_NAMES = [
  '..',
  'CON',
  'a "b"; c=d%2f\'*.txt',
  'résumé 漢字 😀.pdf',
  '😀'.repeat(255),
  '__proto__',
];

test.each(HOSTILE_NAMES)('a download is saved under the name %j that the part has', async (filename) => {
  const content = await uploaded();
  const parts = [{ mime_type: 'text/plain', content: { id: content.id }, filename }];
  const path = `/conversations/${conversation}/messages`;
  const { body: sent } = await alice.call('POST', path, 201, { body: { parts } });
  const { body: read } = await bob.call('GET', `/messages/${uuidOf(sent.id)}`, 200);
  expect([sent.parts[0].filename, read.parts[0].filename]).toEqual([filename, filename]);
  expect(await savedAs(read.parts[0].content.download_url)).toBe(filename);
  const { body: renewed } = await bob.call('GET', read.parts[0].content.refresh_url, 200);
  expect(await savedAs(renewed.download_url)).toBe(filename);
  expect(renewed.refresh_url).toBe(read.parts[0].content.refresh_url);
});

/** The name under which a browser saves a download. */
async function savedAs(url: string): Promise<string> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  const said = answer.headers.get('content-disposition') ?? '';
  const [, name = ''] = /^attachment; filename="[ !#-~]+"; filename\*=UTF-8''([!-~]+)$/.exec(said) ?? [];
  return decodeURIComponent(name);
}

test('a name goes with edits, and the key is absent without one', async () => {
  const content = await uploaded();
  const part = { mime_type: 'text/plain', content: { id: content.id } };
  const path = `/conversations/${conversation}/messages`;
  const { body: sent } = await alice.call('POST', path, 201, { body: { parts: [part] } });
  expect(sent.parts[0]).not.toHaveProperty('filename');
  const at = `/messages/${uuidOf(sent.id)}/parts/${uuidOf(sent.parts[0].id)}`;
  const socket = await bob.connect();
  const steps = async (edits: number) => {
    const isEdit = () => socket.changes('MessagePart').length === edits;
    await socket.waitFor('the edit', isEdit);
    return socket
      .changes('MessagePart')
      .at(-1)
      ?.data.filter(({ property }: Json) => property === 'filename');
  };
  const { body: named } = await alice.call('PUT', at, 200, { body: { ...part, filename: 'a.txt' } });
  expect(named.filename).toBe('a.txt');
  expect(await steps(1)).toEqual([{ operation: 'set', property: 'filename', value: 'a.txt' }]);
  const { body: unnamed } = await alice.call('PUT', at, 200, { body: part });
  expect(unnamed).not.toHaveProperty('filename');
  expect(await steps(2)).toEqual([{ operation: 'delete', property: 'filename' }]);
  await alice.call('PUT', at, 422, { body: { mime_type: 'text/plain', body: 'x', filename: 'a.txt' } });
  await socket.close();
});

test('the name of the upload counts where the part has none', async () => {
  const content = await uploaded({ 'upload-content-filename': 'B%C3%BCro.txt' });
  expect(await savedAs(content.download_url)).toBe('Büro.txt');
  const parts = [{ mime_type: 'text/plain', content: { id: content.id } }];
  const { body: sent } = await alice.call('POST', `/conversations/${conversation}/messages`, 201, {
    body: { parts },
  });
  expect(await savedAs(sent.parts[0].content.download_url)).toBe('Büro.txt');
});
