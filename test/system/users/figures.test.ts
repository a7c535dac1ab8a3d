import pg from 'pg';
import { messagingUrl } from '../../support/messaging-database.ts';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { limitedUrl, platform, postgresUrl } from '../../support/platform.ts';
import type { TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';
import { subscribe } from '../../support/webhooks.ts';

// docs/console.md#figures

/** Figures are recorded every five seconds. */
const WITHIN_MS = 30_000;
const DAY_MS = 86_400_000;

let app: TestApp;
let ada: TestUser;
let bobs: TestSocket[];
let conversation: Json;

beforeAll(async () => {
  app = await createApp(await platform(), 'counted');
  const bob = await app.login('bob');
  ada = await app.login('ada');
  bobs = [await bob.connect(), await bob.connect()];
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } })).body;
});
afterAll(async () => {
  for (const socket of bobs ?? []) await socket.close();
});

/** The figures of a day in one step or two, added up. */
async function counted(appUuid = app.appUuid): Promise<Record<string, number>> {
  const now = Date.now();
  const span = { from: now - DAY_MS / 2, to: now, step_in_seconds: 86_400 };
  const { figures } = await app.admin('GetFigures', { app_uuid: appUuid, ...span });
  const sums: Record<string, number> = {};
  for (const { start: _, ...step } of figures as Record<string, number>[])
    for (const [name, value] of Object.entries(step)) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

/** Resolves when the figures have reached these values; none exceeds them. */
async function untilCounted(expected: Record<string, number>): Promise<void> {
  const names = Object.keys(expected);
  const at = (sums: Record<string, number>) =>
    Object.fromEntries(names.map((name) => [name, sums[name] ?? 0]));
  const last = await until(
    `the figures are recorded: ${JSON.stringify(expected)}`,
    async () => {
      const sums = at(await counted());
      return names.every((name) => sums[name]! >= expected[name]!) ? sums : undefined;
    },
    WITHIN_MS,
  );
  expect(last).toEqual(expected);
}

async function storedMessages(): Promise<number> {
  const client = new pg.Client({ connectionString: await messagingUrl(postgresUrl, app.appUuid) });
  await client.connect();
  try {
    const { rows } = await client.query('select count(*)::int as count from message where app_id = $1', [
      app.appUuid,
    ]);
    return (rows as { count: number }[])[0]!.count;
  } finally {
    await client.end();
  }
}

test('messages by REST, by socket and on schedule are those of the message table', async () => {
  const adas = await ada.connect();
  const path = `/conversations/${uuidOf(conversation.id)}/messages`;
  const byRest = Array.from({ length: 60 }, () =>
    ada.call('POST', path, 201, { body: { parts: [textPart('by REST')] } }),
  );
  const data = { parts: [textPart('by socket')] };
  const bySocket = Array.from({ length: 40 }, () =>
    adas.request('Message.create', { object_id: conversation.id, data }),
  );
  const body = { sender_id: ada.uri, parts: [textPart('later')], schedule: { delay_in_seconds: 1 } };
  await app.server('POST', path, 202, { body });
  await Promise.all([...byRest, ...bySocket]);
  await until('the scheduled message is stored', async () => (await storedMessages()) === 101 || undefined);
  // Each reached two sockets of bob's and one of ada's.
  await untilCounted({ messages: 101, scheduled_messages: 1, socket_deliveries: 303, active_users: 2 });
  const { lateness_ms, max_lateness_ms } = await counted();
  expect(max_lateness_ms).toBe(lateness_ms);
  await adas.close();
}, 120_000);

test('requests that a limit refuses are counted', async () => {
  const url = `${await limitedUrl()}/conversations`;
  const headers = { authorization: `Svc session-token="${ada.token}"` };
  let refused = 0;
  for (let sent = 0; sent < 50 && refused === 0; sent++)
    await call('GET', url, 429, { headers }).then(
      () => (refused += 1),
      () => undefined,
    );
  await untilCounted({ limited_requests: 1, failed_requests: 0 });
}, 60_000);

test('attempts to deliver to webhooks are counted', async () => {
  const { receiver } = await subscribe(app, ['Conversation.created']);
  let failures = 1;
  receiver.respond = (_, response) => {
    response.statusCode = failures-- > 0 ? 500 : 200;
    response.end();
  };
  const body = { participants: ['bob'], distinct: false };
  for (let time = 0; time < 2; time++) await ada.call('POST', '/conversations', 201, { body });
  const sums = await until(
    'both attempts are recorded',
    async () => {
      const { webhook_deliveries = 0, failed_webhook_attempts = 0 } = await counted();
      return webhook_deliveries > 0 && failed_webhook_attempts > 0
        ? { webhook_deliveries, failed_webhook_attempts }
        : undefined;
    },
    WITHIN_MS,
  );
  expect(sums.failed_webhook_attempts).toBe(1);
  expect(sums.webhook_deliveries).toBeLessThanOrEqual(receiver.received.length - 1);
  await receiver.stop();
}, 60_000);
