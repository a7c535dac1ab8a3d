import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { parseDurableSubject } from '../../packages/domain/src/events.ts';
import { milestonesOf } from '../../packages/domain/src/events/milestones.ts';
import { eventStream } from '../../packages/domain/src/events/stream.ts';
import { makeConsumer } from '../../packages/kit/src/bus/durable.ts';
import { connectOnce } from '../../packages/kit/src/bus/connect.ts';
import { migrateStream } from '../../packages/kit/src/bus/streams.ts';
import { startNats, type TestNats } from '@parley/testing';
import { ACCESS } from '../nats/access.ts';
import { usersConfiguration } from '../nats/users.ts';
import { DEPLOY_FOLDER } from './render.ts';

const passwordOf = (user: string) => `password-of-${user}`;
const stream = eventStream({ streamReplicas: 1, streamMaxBytes: 10_000_000 });
const connections: NatsConnection[] = [];
let nats: TestNats;

beforeAll(async () => {
  nats = await startNats({ passwordOf });
  await migrateStream({ url: nats.url, name: 'migration', password: passwordOf('migration') }, stream);
});
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.close();
});
afterAll(() => nats?.stop());

async function connectAs(name: string, password = passwordOf(name)): Promise<NatsConnection> {
  const connection = await connectOnce({ url: nats.url, name, password });
  connections.push(connection);
  return connection;
}

/** Rejects where the user may not send the request. */
function request(
  connection: NatsConnection,
  subject: string,
  content: object | string = '',
): Promise<unknown> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return connection
    .request(subject, text, { timeout: 5_000 })
    .then(({ data }) => JSON.parse(data.toString()));
}

/** Expects that a server refuses: the refusal is the cause of the error, or the cause of that cause. */
async function expectRefusal(attempt: Promise<unknown>): Promise<void> {
  const names: string[] = [];
  let error: unknown = await attempt.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  for (; error instanceof Error; error = error.cause) names.push(error.name);
  expect(names).toContain('PermissionViolationError');
}

const handle = () => Promise.resolve([]);

test('nats-users.conf is written from the table of what processes may do', () => {
  const file = path.join(DEPLOY_FOLDER, 'infra', 'nats-users.conf');
  if (process.env['UPDATE_DOCS']) writeFileSync(file, usersConfiguration());
  expect(readFileSync(file, 'utf8')).toBe(usersConfiguration());
});

test('a connection needs a user and its password', async () => {
  const connect = (password?: string) => connectOnce({ url: nats.url, name: 'messaging', password });
  await expect(connect()).rejects.toThrow(/authorization/i);
  await expect(connect(passwordOf('webhook'))).rejects.toThrow(/authorization/i);
});

test('a process publishes its own events alone', async () => {
  const messaging = jetstream(await connectAs('messaging'));
  const webhook = jetstream(await connectAs('webhook'));
  const { stream: stored } = await messaging.publish('event.app.message.created', 'hello');
  expect(stored).toBe('EVENTS');
  await expectRefusal(webhook.publish('event.app.message.created', 'hello'));
  await expectRefusal(messaging.publish('event.app.identity.erased', 'ada'));
});

test('a process reads its own live messages and answers alone', async () => {
  const webhook = await connectAs('webhook');
  for (const subject of ['live.>', 'event.>', '_INBOX_messaging.>', '_INBOX_webhook2.>', '>', '$JS.>']) {
    const failure = new Promise((resolve) => webhook.subscribe(subject, { callback: resolve }));
    expect([subject, await failure]).toEqual([
      subject,
      expect.objectContaining({ name: 'PermissionViolationError' }),
    ]);
  }
});

test('live messages reach the gateway from their producer alone', async () => {
  const gateway = await connectAs('gateway');
  const got: string[] = [];
  gateway.subscribe('live.*.0.>', { callback: (_, { subject }) => void got.push(subject) });
  await gateway.flush();
  for (const [name, channel] of [
    ['gateway', 'event'],
    ['webhook', 'event'],
    ['messaging', 'presence'],
    ['messaging', 'signal'],
  ]) {
    const connection = await connectAs(name!);
    connection.publish(`live.app.0.${channel}`, name);
    await connection.flush();
  }
  await gateway.flush();
  expect(got).toEqual(['live.app.0.signal']);
});

test('a consumer belongs to one process, and its filter is fixed', async () => {
  const content = await connectAs('content');
  const own = { stream: 'EVENTS', durable: 'content-erasures', filter: 'event.*.identity.erased', handle };
  expect((await makeConsumer(content, own)).name).toBe('content-erasures');
  for (const other of [
    { ...own, filter: 'event.>' },
    { ...own, durable: 'webhook-deliveries' },
    { ...own, durable: 'content-erasures-2' },
  ])
    await expectRefusal(makeConsumer(content, other));
  const wider = {
    durable_name: own.durable,
    name: own.durable,
    filter_subject: 'event.>',
    ack_policy: 'explicit',
  };
  const creation = { stream_name: 'EVENTS', config: wider };
  await expectRefusal(request(content, '$JS.API.CONSUMER.DURABLE.CREATE.EVENTS.content-erasures', creation));
  expect(
    await request(content, `$JS.API.CONSUMER.CREATE.EVENTS.${own.durable}.${own.filter}`, creation),
  ).toMatchObject({ error: { code: 400 } });
  await expectRefusal(request(content, '$JS.API.CONSUMER.MSG.NEXT.EVENTS.webhook-deliveries', '1'));
});

const CALLS = [
  'UPDATE.EVENTS',
  'DELETE.EVENTS',
  'PURGE.EVENTS',
  'MSG.GET.EVENTS',
  'MSG.DELETE.EVENTS',
  'CREATE.X',
];

test.each(Object.keys(ACCESS).filter((name) => name !== 'migration'))(
  '%s cannot change, read or delete a stream',
  async (name) => {
    const connection = await connectAs(name);
    // Messaging empties the stream after a restore.
    const calls = CALLS.filter((call) => name !== 'messaging' || call !== 'DELETE.EVENTS');
    for (const call of calls) await expectRefusal(request(connection, `$JS.API.STREAM.${call}`));
  },
);

test('the migration changes the stream, and a producer creates it anew as it was lost', async () => {
  const access = { url: nats.url, name: 'migration', password: passwordOf('migration') };
  await migrateStream(access, { ...stream, maxBytes: 20_000_000 });
  const operator = await jetstreamManager(await connectAs('operator'));
  expect((await operator.streams.info('EVENTS')).config.max_bytes).toBe(20_000_000);
  const deletion = await request(await connectAs('messaging'), '$JS.API.STREAM.DELETE.EVENTS');
  expect(deletion).toMatchObject({ success: true });
  const creation = { name: 'EVENTS', subjects: stream.subjects };
  await expectRefusal(request(await connectAs('webhook'), '$JS.API.STREAM.CREATE.EVENTS', creation));
  expect(await request(await connectAs('messaging'), '$JS.API.STREAM.CREATE.EVENTS', creation)).toMatchObject(
    { config: { name: 'EVENTS' } },
  );
});

test('a producer may publish its milestones, and nobody else does or asks for their kind alone', () => {
  const producers = Object.keys(ACCESS).filter((name) => (ACCESS[name]?.events ?? []).length > 0);
  for (const name of producers) {
    const { kind } = parseDurableSubject(milestonesOf(name as Parameters<typeof milestonesOf>[0]));
    const publishers = producers.filter((one) => ACCESS[one]?.events?.some((event) => event === kind));
    expect({ name, publishers }).toEqual({ name, publishers: [name] });
    const filters = Object.values(ACCESS).flatMap(({ consumers = {} }) => Object.values(consumers));
    const family = `event.*.${kind.split('.')[0]}.>`;
    const asked = filters.filter((filter) => filter === `event.*.${kind}` || filter === family);
    expect({ name, asked }).toEqual({ name, asked: [] });
  }
});
