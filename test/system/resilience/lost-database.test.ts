import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { copyStopped, startPostgres, type OlderCopy, type TestServer } from '@parley/testing';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { KINDS } from '../../support/fleet.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { isChange, type TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';
import { shown, testClients } from '../client/support.ts';

// A database that loses its last transactions while gateways and services live: docs/decisions/database.md#the-epoch-of-a-database

const WITHIN_MS = 60_000;

let server: TestServer;
let dataDir: string;
let folder: string;
let own: OwnPlatform;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let conversation: Json;
const open = testClients(() => app);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-lost-'));
  server = await startPostgres();
  dataDir = await findDataDir();
  const services = KINDS.filter((kind) => kind !== 'gateway');
  const env = Object.fromEntries(services.map((name) => [name, { PARLEY_DATABASE_URL: urlOf(name) }]));
  own = await ownPlatform({ env });
  app = await createApp(own);
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } })).body;
}, 180_000);

afterAll(async () => {
  await own?.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

function urlOf(name: string): string {
  const url = new URL(server.url);
  url.pathname = `/parley_${name}`;
  return url.href;
}

async function findDataDir(): Promise<string> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  return rows[0]?.data_directory ?? '';
}

/** Sends until it is acknowledged, as clients do; returns the id. */
async function send(user: TestUser): Promise<string> {
  const id = crypto.randomUUID();
  const body = { id, parts: [textPart(id)] };
  const attempt = () => user.call('POST', conversation.messages_url, 201, { body }).catch(() => undefined);
  await until('a message is acknowledged', attempt, WITHIN_MS);
  return id;
}

async function sendMany(user: TestUser, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await send(user));
  return ids;
}

async function listed(user: TestUser): Promise<string[]> {
  const { body } = await user.call('GET', `${conversation.messages_url}?page_size=100`, 200);
  return (body as Json[]).map(({ id }) => uuidOf(id)).reverse();
}

function told({ packets }: TestSocket): string[] {
  return packets.filter(isChange('create', 'Message')).map(({ body }) => uuidOf(body.object.id));
}

/** The socket was told all of these. */
async function untilTold(socket: TestSocket, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await socket.waitFor(id, isChange('create', 'Message', `svc:///messages/${id}`), WITHIN_MS);
}

/** A copy of what is stored so far, and messages after it that are told, and will be lost. */
async function loseLater(
  name: string,
): Promise<{ kept: string[]; older: OlderCopy; lost(): Promise<string[]> }> {
  await send(ada);
  await server.stop();
  const older = await copyStopped(dataDir, path.join(folder, name));
  await server.restart();
  await until('bob reads', () => listed(bob).catch(() => undefined), WITHIN_MS);
  return { kept: await listed(bob), older, lost: () => sendMany(ada, 4) };
}

const ENDS = /^(start_anew|sessions cannot be checked)$/;

/** A new socket, after a replay and six more messages; undefined if it ended, since the gateway had not noticed yet. */
async function beginAnew(from: string, later: string[]): Promise<TestSocket | undefined> {
  const socket = await bob.connect().catch(() => undefined);
  if (!socket) return undefined;
  try {
    const { data } = await socket.request('Event.replay', { data: { from_timestamp: from } });
    expect(data).toEqual({ complete: false });
    const sent = await sendMany(ada, 6);
    later.push(...sent);
    await untilTold(socket, sent);
    expect(told(socket).filter((id) => sent.includes(id))).toEqual(sent);
    return socket;
  } catch (error) {
    if (!socket.closed) throw error;
    return undefined;
  }
}

type Loss = { putInPlace(older: OlderCopy): Promise<void>; meanwhile?(): void };

/** The gateway lives; what it was told is lost, and the numbers of the lost messages are given again. */
async function expectNothingUntold(name: string, { putInPlace, meanwhile }: Loss): Promise<void> {
  const { kept, older, lost } = await loseLater(name);
  const device = open('bob');
  const shownIds = () =>
    device
      .messages(conversation.id)
      .getSnapshot()
      .items.map(({ id }) => uuidOf(id));
  const [socket, silent] = await Promise.all([bob.connect(), bob.connect()]);
  const lostIds = await lost();
  await untilTold(socket, lostIds);
  const isShown = (ids: readonly string[]) => () => ids.every((id) => shownIds().includes(id));
  await shown(device.messages(conversation.id), isShown(lostIds), 'the messages that will be lost');
  const before = socket.packets.at(-1)!.timestamp;

  await server.stop();
  await putInPlace(older);
  meanwhile?.();
  await server.restart();
  const sent = await sendMany(ada, 6);

  // Who was told of the lost messages has to begin anew. On a busy machine the gateway gives up sockets before the server is up again.
  for (const one of [socket, silent])
    expect(await one.untilClosed(WITHIN_MS)).toMatchObject({
      code: 1012,
      reason: expect.stringMatching(ENDS),
    });
  const later: string[] = [];
  const next = await until('a socket is told what is sent', () => beginAnew(before, later), WITHIN_MS);
  expect(await listed(bob)).toEqual([...kept, ...sent, ...later]);
  const isWhole = (): boolean =>
    JSON.stringify(shownIds()) === JSON.stringify([...kept, ...sent, ...later].slice(-shownIds().length)) &&
    isShown(later)();
  await shown(device.messages(conversation.id), isWhole, 'what is stored, and nothing that is lost');
  await next.close();
}

test('after a failover to a standby that was behind, sockets end, and nothing that is acknowledged afterwards is untold', async () => {
  await expectNothingUntold('standby', { putInPlace: (older) => older.promote() });
}, 240_000);

test('the same holds for older files on the same line of history, also when no service remembers the newer ones', async () => {
  await expectNothingUntold('files', {
    putInPlace: (older) => older.putBack(),
    meanwhile: () => {
      for (const name of KINDS) if (name !== 'gateway') own.running.kill(name);
    },
  });
}, 240_000);

test('a restart of the database that loses nothing closes no socket', async () => {
  const socket = await bob.connect();
  await sendMany(ada, 2);
  await server.kill();
  await server.restart();
  const sent = await sendMany(ada, 6);
  await untilTold(socket, sent);
  expect(told(socket).filter((id) => sent.includes(id))).toEqual(sent);
  const { data } = await socket.request('Event.replay', {
    data: { from_timestamp: socket.packets.at(-1)!.timestamp },
  });
  expect(data).toEqual({ complete: true });
  await socket.close();
}, 120_000);
