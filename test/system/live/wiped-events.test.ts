import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startNats, startNatsProxy, type NatsProxy, type TestNats } from '@parley/stack/testing';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';
import { ALL_EVENTS, ofType, subscribe, waitFor, type Subscribed } from '../../support/webhooks.ts';

// JetStream is transport, never the only copy: lost events are published again from the logs of the services.

const PASSWORD = 'the password of all users';
let nats: TestNats;
/** A proxy between the webhook service and NATS, which makes events wait. */
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
      webhook: { PARLEY_NATS_URL: proxy.url },
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

/** Resolves when NATS has accepted all events of the service. */
async function untilPublished(service: string): Promise<void> {
  const url = new URL(own.running.state.postgres_url);
  url.pathname = `/parley_${service}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const isEmpty = async () => (await client.query('select from outbox')).rowCount === 0 || undefined;
  try {
    await until(`${service} has published everything`, isEmpty, 60_000);
  } finally {
    await client.end();
  }
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
