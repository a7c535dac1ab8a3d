import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { keepNatsFiles, startNats, startNatsProxy, type NatsProxy, type TestNats } from '@parley/testing';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { makeKeyPair } from '../../support/archive.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';
import { ALL_EVENTS, ofType, subscribe, waitFor, type Subscribed } from '../../support/webhooks.ts';

// JetStream is transport, never the only copy: lost events are published again from the logs of the services.

const PASSWORD = 'the password of all users';
let nats: TestNats;
/** A proxy between NATS and the services that only consume events, which makes events wait. */
let proxy: NatsProxy;
let own: OwnPlatform;
let app: TestApp;
let ada: TestUser;
let subscribed: Subscribed;
let conversation: Json;

beforeAll(async () => {
  nats = await startNats({ passwordOf: () => PASSWORD });
  proxy = await startNatsProxy();
  proxy.connectTo(nats.url);
  own = await ownPlatform({
    env: {
      '*': { PARLEY_NATS_URL: nats.url, PARLEY_NATS_PASSWORD: PASSWORD },
      ...Object.fromEntries(
        ['webhook', 'export', 'content'].map((name) => [name, { PARLEY_NATS_URL: proxy.url }]),
      ),
    },
  });
  app = await createApp(own);
  subscribed = await subscribe(app, ALL_EVENTS);
  ada = await app.login('ada');
  await app.login('bob');
  const body = { participants: ['bob'] };
  ({ body: conversation } = await ada.call('POST', '/conversations', 201, { body }));
}, 60_000);

afterAll(async () => {
  await subscribed?.receiver.stop();
  await own?.stop();
  await proxy?.stop();
  await nats?.stop();
});

async function say(text: string): Promise<Json> {
  return (
    await ada.call('POST', `/conversations/${uuidOf(conversation.id)}/messages`, 201, {
      body: { parts: [textPart(text)] },
    })
  ).body;
}
function rename(userId: string, display_name: string) {
  return app.server('PATCH', `/users/${userId}/identity`, 204, { body: { display_name } });
}

function ofMessage({ id }: Json) {
  return ofType('Message.created', ({ message }) => message.id === id);
}
function ofIdentity(type: string, userId: string) {
  return ofType(type, ({ identity }) => identity.user_id === userId);
}
function comes(what: string, fits: (body: Json) => boolean) {
  return waitFor(subscribed, what, fits, 60_000);
}
function bodies(): Json[] {
  return subscribed.receiver.received.map(({ text }) => JSON.parse(text));
}

/** Resolves when a query in the database of a service finds so many rows. */
async function untilFound(
  what: string,
  service: string,
  query: pg.QueryConfig,
  count: number,
): Promise<void> {
  const url = new URL(own.running.state.postgres_url);
  url.pathname = `/parley_${service}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const isThere = async () => (await client.query(query)).rowCount === count || undefined;
  try {
    await until(what, isThere, 60_000);
  } finally {
    await client.end();
  }
}

/** Resolves when NATS has accepted all events of the service. */
function untilPublished(service: string): Promise<void> {
  return untilFound(`${service} has published everything`, service, { text: 'select from outbox' }, 0);
}

test('a webhook gets the events that a wiped JetStream held, and no other event twice', async () => {
  const told = await say('told before');
  await comes('the message before', ofMessage(told));
  await comes('the identity before', ofIdentity('Identity.created', 'bob'));

  proxy.cut();
  const held = [await say('one'), await say('two'), await say('three')];
  await app.server('POST', '/users/cem/identity', 201, { body: { display_name: 'Cem' } });
  await rename('bob', 'Bob the second');
  await Promise.all(['messaging', 'identity'].map(untilPublished));

  await nats.kill();
  await rm(nats.storeDir, { recursive: true });
  const meanwhile = await say('said while NATS is down');
  await rename('ada', 'Ada the second');
  await nats.restart();
  proxy.restore();

  for (const message of [...held, meanwhile]) await comes('a message', ofMessage(message));
  await comes('the identity', ofIdentity('Identity.created', 'cem'));
  await comes('its change', ofIdentity('Identity.updated', 'bob'));
  await comes('the change while NATS is down', ofIdentity('Identity.updated', 'ada'));

  const shown = bodies().find(ofIdentity('Identity.updated', 'bob'));
  expect(shown).toMatchObject({ identity: { display_name: 'Bob the second' } });
  // A delivery that is tried again keeps its id.
  const ids = new Map<string, Set<string>>();
  for (const { headers, text } of subscribed.receiver.received) {
    const { id } = JSON.parse(text).event;
    ids.set(id, (ids.get(id) ?? new Set()).add(String(headers['webhook-id'])));
  }
  expect([...ids.values()].filter(({ size }) => size > 1)).toEqual([]);
  expect(
    new Set(
      bodies()
        .filter(ofMessage(told))
        .map(({ event }) => event.id),
    ).size,
  ).toBe(1);
}, 300_000);

test('every consumer gets what NATS acknowledged before it came back with older files', async () => {
  const { publicKey } = makeKeyPair();
  await app.server('PUT', '/export_security', 200, { body: { public_key: publicKey } });
  await app.server('PUT', '/export_schedule', 200, {
    body: { interval: 'daily', events: ['message.sent'], hour_utc: 7 },
  });
  const told = await say('told before the loss');
  await comes('the message before', ofMessage(told));
  await Promise.all(['messaging', 'identity', 'announcement'].map(untilPublished));
  proxy.cut();
  const since = new Date();
  const comeBack = await keepNatsFiles(nats);
  const lost = await Promise.all(['one', 'two', 'three', 'four', 'five'].map((text) => say(`lost ${text}`)));
  await rename('bob', 'Bob whose name was lost');
  const body = { recipients: ['bob'], sender_id: 'ada', parts: [textPart('lost as well')] };
  await app.server('POST', '/announcements', 202, { body });
  await Promise.all(['messaging', 'identity', 'announcement'].map(untilPublished));
  await comeBack();
  proxy.restore();
  for (const message of lost) await comes('a message', ofMessage(message));
  const isRenamed = ofType(
    'Identity.updated',
    ({ identity }) => identity.display_name === 'Bob whose name was lost',
  );
  await comes('the change of an identity', isRenamed);
  const entries = {
    text: `select from journal where app_id = $1 and kind = 'message.sent' and at >= $2`,
    values: [app.appUuid, since],
  };
  await untilFound('the journal has the messages', 'export', entries, lost.length);
  const announced = { text: `select from consumed_event where consumer = 'content-announcements'` };
  await untilFound('content learns of the announcement', 'content', announced, 1);
}, 300_000);

/** Runs `parley admin after-restore` against the platform, and answers what it prints. */
function recover(since: Date): Promise<string> {
  const main = path.resolve(import.meta.dirname, '../../../cli/dist/main.js');
  const args = [main, 'admin', 'after-restore', '--since', since.toISOString()];
  const env = { PARLEY_URL: own.baseUrl, PARLEY_ADMIN_TOKEN: own.adminToken };
  return promisify(execFile)(process.execPath, args, { env }).then(({ stdout }) => stdout);
}

test('after a restore the command empties the stream, makes replays incomplete, and leaves what is in order alone', async () => {
  const since = new Date();
  const told = await say('told before the restore');
  const output = await recover(since);
  const lines = output.split('\n');
  for (const step of ['identities', 'blocks', 'memberships', 'contents'])
    expect(lines).toContain(`${step}: nothing to do`);
  expect(output).toContain('What cannot be brought together:');
  await comes('the message before', ofMessage(told));
  await rename('bob', 'Bob the third');
  const isThird = (body: Json) => body.identity?.display_name === 'Bob the third';
  await comes(
    'the change afterwards',
    (body) => ofIdentity('Identity.updated', 'bob')(body) && isThird(body),
  );
  await comes('the message afterwards', ofMessage(await say('told afterwards')));
  const socket = await ada.connect();
  const { data } = await socket.request('Event.replay', { data: { from_timestamp: since.toISOString() } });
  await socket.close();
  expect(data.complete).toBe(false);
}, 120_000);
