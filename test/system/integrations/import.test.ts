import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { completed, makeKeyPair, open } from '../../support/archive.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';

const run = promisify(execFile);
const cli = path.join(import.meta.dirname, '../../../cli/dist/main.js');
const pair = makeKeyPair();

async function newApp(): Promise<TestApp> {
  const app = await createApp(await platform());
  await app.server('PUT', '/export_security', 200, { body: { public_key: pair.publicKey } });
  return app;
}

async function exportOf(app: TestApp): Promise<Json> {
  const { body } = await app.server('POST', '/exports', 202);
  return open(await completed(app, body.id), pair.privateKey);
}

async function restore(app: TestApp, document: Json): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-import-'));
  const file = path.join(folder, 'export.json');
  await writeFile(file, JSON.stringify(document));
  const { baseUrl, adminToken } = app.platform;
  const env = { ...process.env, PARLEY_URL: baseUrl, PARLEY_ADMIN_TOKEN: adminToken };
  try {
    const args = [cli, 'import', file, '--app', app.appUuid];
    return (await run(process.execPath, args, { env })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Replaces one app by another in addresses, so that documents of the two can be compared. */
function elsewhere(document: Json, from: TestApp, to: TestApp): Json {
  return JSON.parse(JSON.stringify(document).replaceAll(`/apps/${from.appUuid}/`, `/apps/${to.appUuid}/`));
}

/** Users join, leave, read and delete, and messages of every kind are sent. */
async function live(app: TestApp): Promise<{ ann: TestUser; first: string }> {
  const [ann, bob, cem] = [await app.login('ann'), await app.login('bob'), await app.login('cem')];
  const create = async (body: Json) =>
    uuidOf((await ann.call('POST', '/conversations', 201, { body })).body.id);
  const first = await create({ participants: ['bob'], metadata: { topic: { a: 'b' } } });
  await create({ participants: ['bob'], distinct: true });
  await create({ participants: [] });
  const say = async (user: TestUser, body: string, fields: object = {}) =>
    uuidOf(
      (
        await user.call('POST', `/conversations/${first}/messages`, 201, {
          body: {
            parts: [textPart(body), { mime_type: 'image/png', body: 'AAE=', encoding: 'base64' }],
            ...fields,
          },
        })
      ).body.id,
    );
  const patch = (operation: string, id: string) =>
    ann.call('PATCH', `/conversations/${first}`, 204, {
      headers: { 'content-type': 'application/vnd.svc-patch+json' },
      body: [{ operation, property: 'participants', id }],
    });
  const receipt = (user: TestUser, id: string, type: string) =>
    user.call('POST', `/messages/${id}/receipts`, 204, { body: { type } });
  const gone = await say(ann, 'deleted, first');
  await say(ann, 'not read by bob', { notification: { title: 'New', text: 'hello' } });
  const read = await say(ann, 'read out of order');
  await say(bob, 'own');
  await receipt(bob, read, 'read');
  await receipt(bob, await say(ann, 'delivered'), 'delivery');
  await patch('add', 'cem');
  await say(ann, 'to three');
  await say(cem, 'from the new one');
  const hole = await say(bob, 'deleted, in the middle');
  await say(bob, 'after the hole');
  await patch('remove', 'cem');
  await say(ann, 'without cem');
  await patch('add', 'cem');
  await receipt(cem, await say(ann, 'with cem again'), 'read');
  await patch('remove', 'bob');
  await say(ann, 'without bob');
  await ann.call('DELETE', `/messages/${gone}?mode=all_participants`, 204);
  await app.server('DELETE', `/conversations/${first}/messages/${hole}`, 204);
  for (let n = 0; n < 10; n++) {
    await Promise.all(Array.from({ length: 30 }, (_, m) => say(m % 3 === 0 ? cem : ann, `many ${n} ${m}`)));
  }
  return { ann, first };
}

/** A conversation of a type has roles and settings. */
async function moderate(app: TestApp, ann: TestUser): Promise<void> {
  await app.server('PUT', '/types/channel', 200, { body: { creator_role: 'owner' } });
  const body = { participants: ['bob'], type: 'channel' };
  const { url } = (await ann.call('POST', '/conversations', 201, { body })).body;
  const set = (property: string, value: unknown) => ({ operation: 'set', property, value });
  await ann.call('PATCH', url, 204, {
    headers: { 'content-type': 'application/vnd.svc-patch+json' },
    body: [set('roles.bob', 'observer'), set('slow_mode_in_seconds', 30), set('frozen', true)],
  });
}

test('export, import and export again give the same document, and the app lives on from there', async () => {
  const [app, other] = [await newApp(), await newApp()];
  const { first, ann: owner } = await live(app);
  await moderate(app, owner);
  await other.server('PUT', '/types/channel', 200, { body: {} });
  const document = await exportOf(app);
  expect(document.messages.length).toBeGreaterThan(300);
  const said = await restore(other, document);
  expect(said).toBe(`Restored 4 conversations and ${document.messages.length} messages.\n`);
  expect(await exportOf(other)).toEqual(elsewhere(document, app, other));

  // A repeated import changes nothing.
  await restore(other, document);
  const count = async (user: TestUser) =>
    (await user.call('GET', `/conversations/${first}`, 200)).body.total_message_count;
  const ann = await other.login('ann');
  expect(await count(ann)).toBe(document.messages.length);
  const { body: sent } = await ann.call('POST', `/conversations/${first}/messages`, 201, {
    body: { parts: [textPart('and on')] },
  });
  expect(sent.position).toBe(document.messages.at(-1).position + 1);
  expect(await count(ann)).toBe(document.messages.length + 1);
}, 60_000);

test('a file that is not an export is refused with one line', async () => {
  const app = await newApp();
  const failure: Json = await restore(app, { conversations: [{ id: 'x' }], messages: [] }).catch(
    (error: unknown) => error,
  );
  expect(failure.stderr).toMatch(/^parley: invalid_property: .*\n$/);
});
