import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../test/support/app.ts';
import { until } from '../../test/support/until.ts';
import type { Client } from './client.ts';
import type { History } from './history.ts';
import type { Round } from './round.ts';

type Work = { round: Round; client: Client; history: History };

const PAUSE_MS = 20_000;
const WRITERS = 4;
const BEFORE_MS = 1_500;
const AFTER_MS = 6_000;
/** Time after which a deletion holds at every gateway: a second, and the delay that a busy machine adds to the request. */
const HOLDS_AFTER_MS = 3_000;
const AGAIN_MS = 50;
const CREATED_WITHIN_MS = 90_000;
/** Removals begin after a minute; a process that stood still, or was killed, goes on with its next lease. */
const REMOVED_WITHIN_MS = 240_000;
/** Tables that keep something of a deleted application: docs/deleted-applications.md#what-stays */
const KEPT = new Set([
  ...['app', 'app_tombstone', 'audit_entry', 'figure', 'revocation', 'performed_operation', 'outbox'],
  ...['event_log', 'consumed_event', 'used_nonce', 'journal_entry'],
]);

/** Creates an application, has its users send messages, and deletes it while they do. */
export function remover(work: Work): () => Promise<void> {
  const { round, client } = work;
  return async () => {
    const { app, users, conversation } = await createAnother(round);
    let deletedAt = Infinity;
    const end = new AbortController();
    const writing = Array.from({ length: WRITERS }, (_, index) =>
      write(work, {
        user: users[index % users.length]!,
        conversation,
        end: end.signal,
        since: () => deletedAt,
      }),
    );
    await pause(BEFORE_MS);
    await client({
      ...{ method: 'POST', path: '/admin/rpc/parley.identity.v1.AdminService/DeleteApp' },
      authorization: `Bearer ${app.platform.adminToken}`,
      ...{ headers: { accept: 'application/json' }, body: { app_uuid: app.appUuid }, expected: [200] },
    }).finally(() => (deletedAt = performance.now()));
    round.removed.push(app.appUuid);
    await pause(AFTER_MS);
    end.abort();
    await Promise.all(writing);
    await pause(PAUSE_MS);
  };
}

type Another = { app: TestApp; users: TestUser[]; conversation: string };

/** Creates another application; starts again if a fault interrupts it. */
function createAnother({ app: { platform } }: Round): Promise<Another> {
  const create = async (): Promise<Another> => {
    const app = await createApp(platform, 'removed');
    const users = [await app.login('ann'), await app.login('ben')];
    const body = { participants: ['ann', 'ben'], distinct: false };
    const { body: created } = await users[0]!.call('POST', '/conversations', 201, { body });
    return { app, users, conversation: uuidOf(created.id) };
  };
  return until('another application is there', () => create().catch(() => undefined), CREATED_WITHIN_MS);
}

type Writing = { user: TestUser; conversation: string; end: AbortSignal; since: () => number };

/** Sends until the end, whatever the answers are; notes those that the deletion forbids. */
async function write(
  { round: { addresses }, history }: Work,
  { user, conversation, end, since }: Writing,
): Promise<void> {
  for (let turn = 0; !end.aborted; turn++) {
    const begun = performance.now();
    const address = addresses[turn % addresses.length] ?? '';
    const answer = await fetch(`${address}/conversations/${conversation}/messages`, {
      method: 'POST',
      headers: {
        accept: 'application/vnd.svc+json; version=3.0',
        'content-type': 'application/json',
        authorization: `Svc session-token="${user.token}"`,
      },
      body: JSON.stringify({ parts: [textPart('to the last')] }),
      signal: AbortSignal.timeout(CREATED_WITHIN_MS),
    }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    const late = begun - since();
    if (answer?.status === 500)
      history.faults.push('a message to a deleted application was answered with 500');
    if (answer?.status === 201 && late > HOLDS_AFTER_MS)
      history.faults.push(
        `a message was stored ${Math.round(late)} ms after the deletion of its application`,
      );
    await pause(AGAIN_MS);
  }
}

/** Describes rows of deleted applications that are there after their removal should have ended. */
export async function checkRemoved(
  { postgresUrl, databases }: { postgresUrl: string; databases: readonly string[] },
  removed: readonly string[],
): Promise<string[]> {
  if (removed.length === 0) return [];
  let left: string[] = [];
  const isGone = async () => {
    left = (await Promise.all(databases.map((name) => rowsOf(postgresUrl, name, removed)))).flat();
    return left.length === 0 || undefined;
  };
  await until('nothing of deleted applications is left', isGone, REMOVED_WITHIN_MS).catch(() => undefined);
  return left;
}

async function rowsOf(postgresUrl: string, database: string, apps: readonly string[]): Promise<string[]> {
  const url = new URL(postgresUrl);
  url.pathname = `/parley_${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(`
      select table_name as name from information_schema.columns join information_schema.tables using (table_name, table_schema)
      where column_name = 'app_id' and table_schema = 'public' and table_type = 'BASE TABLE'`);
    const left: string[] = [];
    for (const { name } of tables) {
      if (KEPT.has(name)) continue;
      const { rowCount } = await client.query(`select from "${name}" where app_id::text = any ($1)`, [apps]);
      if (rowCount) left.push(`${database}: ${rowCount} rows of ${name} belong to deleted applications`);
    }
    return left;
  } finally {
    await client.end();
  }
}
