import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { createApp, textPart, uuidOf, type TestApp } from '../../support/app.ts';
import { makeKeyPair, open, openByCommands, statusPath } from '../../support/archive.ts';
import { UnexpectedStatus } from '../../support/http.ts';
import { messagingUrl } from '../../support/messaging-database.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';

// Memory does not grow with an export, and an incomplete archive is never offered: docs/protocol/exports.md#the-archive

/** Messages of 40 KB each. */
const COUNT = 3_000;
const PARTS = 20;
const pair = makeKeyPair();
let own: OwnPlatform;
let app: TestApp;
let conversation: string;

beforeAll(async () => {
  own = await ownPlatform({ durable: false });
  app = await createApp(own);
  await app.server('PUT', '/export_security', 200, { body: { public_key: pair.publicKey } });
  const alice = await app.login('alice');
  const { body } = await alice.call('POST', '/conversations', 201, { body: { participants: [] } });
  conversation = uuidOf(body.id);
  const parts = Array.from({ length: PARTS }, () => textPart('a long message '.repeat(130)));
  await alice.call('POST', `/conversations/${conversation}/messages`, 201, { body: { parts } });
  await multiply();
}, 240_000);

afterAll(() => own?.stop(), 60_000);

function databaseUrl(database: string): string {
  const url = new URL(own.running.state.postgres_url);
  url.pathname = `/${database}`;
  return url.href;
}

/** Copies the first message by SQL, since sending that many would take hours. */
async function multiply(): Promise<void> {
  const client = new pg.Client({ connectionString: await messagingUrl(databaseUrl, app.appUuid) });
  await client.connect();
  await client.query(
    `insert into message (app_id, conversation_id, position, id, sender_id, sent_at, low, body)
     select app_id, conversation_id, number, gen_random_uuid(), sender_id, sent_at, low, body
     from message, generate_series(2, ${COUNT}) as number where conversation_id = $1 and position = 1`,
    [conversation],
  );
  await client.query(`update conversation set head = ${COUNT} where id = $1`, [conversation]);
  await client.end();
}

function undefinedWhileAway(error: unknown): undefined {
  if (!(error instanceof UnexpectedStatus) || error.status !== 503) throw error;
}

async function peakMegabytes(name: string): Promise<number> {
  const pid = own.running.state.processes.find((one) => one.name === name)?.pid;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

test('an export whose process is killed starts again and writes a complete archive of over 100 MB in constant memory', async () => {
  const { body: requested } = await app.server('POST', '/exports', 202);
  const status = async () => (await app.server('GET', statusPath(requested.id), 200)).body;
  await until(
    'the run has begun',
    async () => ((await status()).started_at === null ? undefined : true),
    60_000,
  );
  expect((await status()).status).toBe('executing');
  await own.killAndAwait('export');
  // The new process may take a while to show progress, and may have finished by then.
  const shown = await until(
    'the export is completed',
    async () => {
      // The gateway takes a moment to reach the new process.
      const body = await status().catch(undefinedWhileAway);
      if (!body || body.status === 'completed') return body;
      expect(body).toMatchObject({
        ...{ status: 'executing', status_reason: null },
        ...{ download_url: null, encrypted_aes_key: null, archive_size: null },
      });
      return undefined;
    },
    240_000,
  );
  const opened = await open(shown, pair.privateKey);
  expect(opened.conversations).toHaveLength(1);
  expect(opened.messages).toHaveLength(COUNT);
  const positions = new Set(opened.messages.map(({ position }: { position: number }) => position));
  expect(positions.size).toBe(COUNT);
  expect(JSON.stringify(opened).length).toBeGreaterThan(100 * 1024 * 1024);
  const { length } = (await openByCommands(shown, pair.privateKey)).messages;
  expect(length).toBe(COUNT);
  expect(await peakMegabytes('export')).toBeLessThan(200);
}, 480_000);
