import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectPlainly } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import pg from 'pg';
import {
  createAuthority,
  startNats,
  startPostgres,
  writeCertificates,
  type TestNats,
  type TestServer,
} from '@parley/testing';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { KINDS } from '../../support/fleet.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { isChange, type TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

const PASSWORD = 'the password of all users';
const SERVICES = KINDS.filter((kind) => kind !== 'gateway');

let folder: string;
let nats: TestNats;
let postgres: TestServer;
let own: OwnPlatform;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let messagesPath: string;
const sockets: TestSocket[] = [];

const at = (name: string): string => path.join(folder, name);

/** Certificates of a new authority for everything. */
async function issueAll(): Promise<void> {
  const authority = await createAuthority();
  for (const name of [...KINDS, 'nats', 'postgres', 'client'])
    writeCertificates(at(name), await authority.issue(name));
}

function databaseUrl(name: string): string {
  const url = new URL(postgres.url);
  url.pathname = `/parley_${name}`;
  return url.href;
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-tls-'));
  await issueAll();
  [nats, postgres] = await Promise.all([
    startNats({ tlsFolder: at('nats'), passwordOf: () => PASSWORD }),
    startPostgres({ tlsFolder: at('postgres') }),
  ]);
  const ofProcess = (name: string) => ({
    PARLEY_TLS_FOLDER: at(name),
    ...(name !== 'gateway' && { PARLEY_DATABASE_URL: databaseUrl(name) }),
  });
  own = await ownPlatform({
    env: {
      ...Object.fromEntries(KINDS.map((name) => [name, ofProcess(name)])),
      '*': { PARLEY_NATS_URL: nats.url, PARLEY_NATS_PASSWORD: PASSWORD },
    },
  });
  app = await createApp(own);
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  messagesPath = `/conversations/${uuidOf(body.id)}/messages`;
}, 120_000);

afterAll(async () => {
  for (const socket of sockets) await socket.close();
  await own?.stop();
  await Promise.all([nats?.stop(), postgres?.stop()]);
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Sends until a message has arrived at a socket that is open: by Postgres, NATS and calls between processes. */
async function expectDelivery(socket: TestSocket): Promise<void> {
  const attempt = async () => {
    const options = { body: { parts: [textPart('hello')] } };
    const { body } = await ada.call('POST', messagesPath, 201, options);
    return socket.waitFor('the message', isChange('create', 'Message', body.id), 3_000);
  };
  await until('a message is delivered', () => attempt().catch(() => undefined), 60_000);
}

function portOf(name: string): number {
  return own.running.state.processes.find((one) => one.name === name)?.rpc_port ?? 0;
}

/** Bytes that the server of calls sends first to a client with these options: HTTP/2 begins with its settings. */
async function greetingOf(
  port: number,
  options: ConnectionOptions | 'plain',
): Promise<'settings' | 'refused'> {
  const given = { host: '127.0.0.1', port, ALPNProtocols: ['h2'] };
  const socket = options === 'plain' ? connectPlainly(given) : connectTls({ ...given, ...options });
  socket.on('error', () => undefined);
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0');
  const data = once(socket, 'data').then(
    () => 'settings' as const,
    () => 'refused' as const,
  );
  const got = await Promise.race([data, once(socket, 'close').then(() => 'refused' as const)]);
  socket.destroy();
  return got;
}

const read = (name: string, file: string): Buffer => readFileSync(path.join(at(name), file));
const trusting = () => ({ ca: read('client', 'ca.crt') });
const certified = () => ({ ...trusting(), cert: read('client', 'tls.crt'), key: read('client', 'tls.key') });

test('with TLS everywhere a message is stored and delivered', async () => {
  sockets.push(await bob.connect());
  await expectDelivery(sockets[0]!);
});

test.each(SERVICES)('%s takes calls from clients with a certificate alone', async (name) => {
  expect(await greetingOf(portOf(name), certified())).toBe('settings');
  expect(await greetingOf(portOf(name), trusting())).toBe('refused');
  expect(await greetingOf(portOf(name), 'plain')).toBe('refused');
});

test('Postgres and NATS take no connection without TLS', async () => {
  const url = new URL(postgres.url);
  url.search = '';
  await expect(new pg.Client({ connectionString: url.href }).connect()).rejects.toThrow(/no encryption/);
  const socket = connectPlainly(nats.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => void (text += chunk));
  socket.write('CONNECT {"verbose":true}\r\nPING\r\n');
  await once(socket, 'close');
  expect(text).not.toContain('PONG');
});

test('replaced certificates are used without a restart', async () => {
  const others = KINDS.filter((kind) => kind !== 'messaging');
  const pids = () => others.map((name) => own.running.state.processes.find((one) => one.name === name)?.pid);
  const before = pids();
  await issueAll();
  await Promise.all([nats.reload(), postgres.reload()]);
  const areReplaced = async () => {
    const greetings = await Promise.all(SERVICES.map((name) => greetingOf(portOf(name), certified())));
    return greetings.every((greeting) => greeting === 'settings') || undefined;
  };
  await until('every service has its new certificate', areReplaced, 20_000);
  await expectDelivery(sockets[0]!);

  // New connections to everything: the processes that stay have nothing but the new certificates to make them with.
  await Promise.all([nats.kill(), postgres.kill()]);
  await Promise.all([nats.restart(), postgres.restart()]);
  await own.killAndAwait('messaging');
  await expectDelivery(sockets[0]!);
  expect(pids()).toEqual(before);
}, 120_000);
