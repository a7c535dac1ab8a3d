import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importPKCS8 } from 'jose';
import { startPlatform, type Platform as Running } from '@parley/stack/platform';
import { lastRelease, listReleased } from '@parley/stack/release';
import { describeWith, freePort } from '@parley/testing';
import { openApp, textPart, uuidOf, type Credentials, type Platform, type TestApp } from '../support/app.ts';
import { completed, download, open } from '../support/archive.ts';
import { UnexpectedStatus } from '../support/http.ts';
import type { Json } from '../support/json.ts';
import { until } from '../support/until.ts';
import { formatRows, parseRows } from './baseline/copy-text.ts';
import { restoreDatabase } from './baseline/database.ts';
import { observe, UPLOADED } from './baseline/typical-use.ts';
import { releasedServices } from '../support/releases.ts';

const BASELINES = path.join(import.meta.dirname, 'baseline');
const versions = readdirSync(BASELINES).filter((name) => existsSync(path.join(BASELINES, name, 'seen.json')));

test('a text in the format of COPY holds every value', () => {
  const rows = [
    ['plain', null, ''],
    ['\\N', 'tab\tline\nreturn\r', '\\\\x00 \\t ü'],
  ];
  expect(parseRows(formatRows(rows))).toEqual(rows);
});

test('there is a baseline of the last release', () => expect(versions).toContain(lastRelease().version));

describeWith('history', 'the baseline of the last release', () => {
  const release = lastRelease();

  test.each(releasedServices())('was written by the last migration of %s', (service) => {
    const folder = path.join(BASELINES, release.version, path.basename(service));
    const { migration } = JSON.parse(readFileSync(path.join(folder, 'schema.json'), 'utf8')) as Json;
    const last = listReleased(release, `${service}/migrations`).at(-1) ?? '';
    expect(path.basename(last)).toMatch(new RegExp(`^0*${migration}_`));
  });
});

describe.each(versions)('data of release %s', (version) => {
  const folder = path.join(BASELINES, version);
  const known = JSON.parse(readFileSync(path.join(folder, 'seen.json'), 'utf8')) as Json;
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-upgrade-'));
  let running: Running;
  let platform: Platform;
  let app: TestApp;

  beforeAll(async () => {
    for (const name of ['blobs', 'secrets.json'])
      cpSync(path.join(folder, name), path.join(dataDir, name), { recursive: true });
    const bare = await startPlatform({
      dataDir,
      port: await freePort(),
      demo: false,
      durable: false,
      catalog: [],
    });
    const services = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'schema.json')));
    try {
      for (const service of services)
        await restoreDatabase(bare.state.postgres_url, { service, folder: path.join(folder, service) });
    } finally {
      await bare.stop();
    }
    const env = { '*': { PARLEY_RATE_LIMIT_FACTOR: '0' } };
    running = await startPlatform({ dataDir, port: await freePort(), demo: false, durable: false, env });
    platform = { baseUrl: running.baseUrl, adminToken: running.state.admin_token };
    const privateKey = await importPKCS8(known.credentials.privateKey, 'RS256', { extractable: true });
    app = openApp(platform, { ...known.credentials, privateKey } as Credentials);
  }, 120_000);

  afterAll(async () => {
    await running?.discard();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  test('is what its clients saw: conversations, messages, unread counts, lists, webhooks', async () => {
    expect(await observe(platform, app)).toEqual(withNothingUnreadWhereOut(known.seen));
  });

  test('keeps the private fields of identities open, until the application sets which are', async () => {
    const [ada, bob] = [await app.login('ada'), await app.login('bob')];
    const fields = { phone_number: '+44 1', email_address: 'bob@x.example' };
    await app.server('PATCH', '/users/bob/identity', 204, { body: fields });
    const { app: shown } = await app.admin('GetApp', { app_uuid: app.appUuid });
    expect(shown.public_identity_fields).toEqual(Object.keys(fields));
    expect((await ada.call('GET', '/identities/bob', 200)).body).toMatchObject(fields);
    await app.server('PATCH', '', 202, {
      body: [{ operation: 'set', property: 'public_identity_fields', value: [] }],
    });
    const closed = { phone_number: null, email_address: null };
    expect((await ada.call('GET', '/identities/bob', 200)).body).toMatchObject(closed);
    expect((await bob.call('GET', '/identities/bob', 200)).body).toMatchObject(fields);
  });

  test('goes on: messages are sent, heard and counted, and read', async () => {
    const [ada, bob] = [await app.login('ada'), await app.login('bob')];
    const [conversation] = known.seen.bob.conversations as Json[];
    const at = `/conversations/${uuidOf(conversation.id)}`;
    const unread = async () => (await bob.call('GET', at, 200)).body.unread_message_count as number;
    const before = await unread();
    const socket = await bob.connect();
    const { body: sent } = await ada.call('POST', `${at}/messages`, 201, {
      body: { parts: [textPart('New')] },
    });
    expect(sent.position).toBe(conversation.last_message.position + 1);
    await socket.waitFor('the message', (packet) => packet.body?.object?.id === sent.id);
    await socket.close();
    expect(await unread()).toBe(before + 1);
    await bob.call('POST', `/messages/${uuidOf(sent.id)}/receipts`, 204, { body: { type: 'read' } });
    expect(await unread()).toBe(before);
    const eve = await app.login('eve');
    await eve.call('GET', '/conversations', 200);
  });

  /** Id of a new export, or of the one in the baseline during the day after it was made, in which there may be no other. */
  const exportId = async (): Promise<string> => {
    try {
      return (await app.server('POST', '/exports', 202)).body.id as string;
    } catch (error) {
      if (!(error instanceof UnexpectedStatus) || error.status !== 422) throw error;
      return (await app.server('GET', '/exports', 200)).body[0].id as string;
    }
  };

  test('has its content, and is exported', async () => {
    const bob = await app.login('bob');
    const messages = Object.values(known.seen.bob.messages as Record<string, Json[]>).flat();
    const sent = messages.find(({ parts }) => parts[0]?.content)!;
    const { body } = await bob.call('GET', `/messages/${uuidOf(sent.id)}`, 200);
    expect((await download(body.parts[0].content.download_url)).toString()).toBe(UPLOADED);
    const exported = JSON.stringify(await open(await completed(app, await exportId()), known.exportKey));
    for (const { id } of messages) expect(exported).toContain(uuidOf(id));
  });

  // Its time has come, but for the first minutes after the baseline was made.
  test('has the scheduled message, which waits or is sent', async () => {
    const dan = await app.login('dan');
    const [conversation] = (await dan.call('GET', '/conversations', 200)).body as Json[];
    const path = `/conversations/${uuidOf(conversation.id)}`;
    await until('the message is there', async () => {
      const sent = (await dan.call('GET', `${path}/messages`, 200)).body as Json[];
      const waiting = (await app.server('GET', `${path}/scheduled_messages`, 200)).body as Json[];
      return sent[0]?.parts[0].body === 'Later' || waiting.length === 1 || undefined;
    });
  });
});

/** Release 0.1.0 counted as unread what users had not read when they left a conversation. */
function withNothingUnreadWhereOut(seen: Json): Json {
  const adapted = structuredClone(seen);
  for (const { conversations = [], messages = {} } of Object.values<Json>(adapted)) {
    for (const conversation of conversations.filter(({ participants }: Json) => participants.length === 0)) {
      conversation.unread_message_count = 0;
      for (const message of [conversation.last_message, ...messages[conversation.id]])
        message.is_unread = false;
    }
  }
  return adapted;
}
