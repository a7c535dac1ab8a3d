import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createTestDatabase } from '@parley/testing';
import { createApp, textPart, type TestApp, type TestUser } from '../../support/app.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { startTcpProxy, type TcpProxy } from '@parley/testing';
import { until } from '../../support/until.ts';

let databaseUrl: string;
let proxy: TcpProxy;
let own: OwnPlatform;
let app: TestApp;
let ada: TestUser;

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  proxy = await startTcpProxy(databaseUrl);
  own = await ownPlatform({ env: { announcement: { PARLEY_DATABASE_URL: proxy.url } } });
  app = await createApp(own);
  ada = await app.login('ada');
}, 120_000);

afterAll(async () => {
  await own?.stop();
  await proxy?.stop();
}, 60_000);

afterEach(() => proxy.restore());

async function announce(expected: number, key: string) {
  return app.server('POST', '/announcements', expected, {
    headers: { 'idempotency-key': key },
    body: { recipients: ['ada'], sender_id: 'ada', parts: [textPart('hear')] },
  });
}
async function received(): Promise<{ id: string }[]> {
  return (await ada.call('GET', '/announcements', 200)).body;
}

/** Rows of the service's tables that an announcement leaves behind. */
async function leftBehind(): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(`
    select (select count(*) from announcement) as a, (select count(*) from fan_out) as b,
      (select count(*) from received) as c, (select count(*) from outbox) as d`);
  await client.end();
  return Object.values(rows[0] ?? {}).map(Number);
}

test('an announcement that cannot be enqueued is answered with 503, leaves nothing behind, and is sent once when it is tried again', async () => {
  const key = randomUUID();
  proxy.cut();
  const { body, headers } = await announce(503, key);
  expect(body).toMatchObject({ id: 'service_unavailable', code: 1 });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(await leftBehind()).toEqual([0, 0, 0, 0]);
  proxy.restore();
  expect(await received()).toEqual([]);
  const sent = await announce(202, key);
  await until('ada gets it', async () => (await received()).length > 0 || undefined, 60_000);
  expect((await announce(202, key)).text).toBe(sent.text);
  expect((await received()).map(({ id }) => id)).toEqual([sent.body.id]);
}, 120_000);
