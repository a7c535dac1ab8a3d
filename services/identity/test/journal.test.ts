import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code } from '@connectrpc/connect';
import { decodeEntries, type Act } from '../src/journal/entry.ts';
import { until } from '@parley/testing';
import { createTestApp, logIn, uuidOf, type TestApp } from './support/app.ts';
import { NO_JOURNAL, startIdentity, type Platform } from './support/platform.ts';

const DAY_MS = 86_400_000;

let home: string;
let folder: string;
let platform: Platform;
let app: TestApp;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'parley-journal-'));
  folder = path.join(home, 'journal');
  platform = await startIdentity({ journal: { ...NO_JOURNAL, folder } });
  app = await createTestApp(platform);
});

afterAll(async () => {
  await platform.stop();
  await rm(home, { recursive: true });
});

/** Entries stored outside of the database, in the order of the entries. An entry may be stored twice: by the job and by the test. */
async function storedActs(): Promise<Act[]> {
  const { store } = platform.service.context.journal;
  const keys = (await store?.list({ prefix: 'journal/', after: '', limit: 1_000 })) ?? [];
  const objects = await Promise.all(keys.map((key) => store!.get(key)));
  const entries = new Map(objects.flatMap(decodeEntries).map((entry) => [entry.id, entry]));
  return [...entries.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ act }) => act);
}

/** Ids of one millisecond have no order. */
const byKind = (one: { kind: string }, other: { kind: string }) => one.kind.localeCompare(other.kind);

async function flushed(): Promise<Act[]> {
  await platform.service.context.journal.flush();
  return storedActs();
}

test('whatever ends access, suspends or erases is stored outside of the database', async () => {
  const appId = app.uuid;
  const before = (await flushed()).length;
  const sessionToken = await logIn(platform, app, 'ada');
  await platform.identity.deleteSession({ appId, userId: 'ada', sessionToken });
  await platform.admin.suspendUser({ appUuid: app.uuid, userId: 'ada' });
  await platform.admin.resumeUser({ appUuid: app.uuid, userId: 'ada' });
  const { identity } = await platform.identity.eraseUser({ appId, userId: 'ada' });
  await logIn(platform, app, 'ada');
  await platform.admin.disableKey({ keyId: app.keyId });
  await platform.admin.enableKey({ keyId: app.keyId });
  const { accessToken } = await platform.admin.createAccessToken({ appUuid: app.uuid, name: 'Bot' });
  await platform.admin.deleteAccessToken({ accessTokenId: accessToken!.id });
  const acts = (await flushed()).slice(before).toSorted(byKind);
  const sessionIds = [expect.any(String)];
  const expected = [
    { kind: 'sessions.ended', appId, userId: 'ada', sessionIds },
    { kind: 'user.suspended', appId, userId: 'ada' },
    { kind: 'user.resumed', appId, userId: 'ada' },
    { kind: 'user.deleted', appId, userId: 'ada' },
    { kind: 'user.erased', appId, userId: 'ada', version: identity!.incarnation },
    { kind: 'user.restored', appId, userId: 'ada' },
    { kind: 'key.disabled', id: uuidOf(app.keyId) },
    { kind: 'key.enabled', id: uuidOf(app.keyId) },
    { kind: 'access_token.deleted', id: uuidOf(accessToken!.id) },
  ];
  expect(acts).toEqual(expected.toSorted(byKind));
});

test('an outage of the store stops no act, and its entries are stored afterwards', async () => {
  const { uuid: appId } = app;
  const before = (await flushed()).length;
  await logIn(platform, app, 'grace');
  await rename(folder, `${folder}-away`);
  await platform.identity.eraseUser({ appId, userId: 'grace' });
  const failed = platform.service.context.journal.flush();
  await expect(failed).rejects.toMatchObject({ code: Code.Unavailable });
  await rename(`${folder}-away`, folder);
  const kinds = (await flushed()).map(({ kind }) => kind).slice(before);
  expect(kinds.toSorted()).toEqual(['sessions.ended', 'user.deleted', 'user.erased']);
});

test('acts of an hour without the store are stored once it is back, in their order, by the job alone', async () => {
  const before = (await flushed()).length;
  await logIn(platform, app, 'joan');
  await rename(folder, `${folder}-away`);
  const MINUTES = 60;
  for (let minute = 0; minute < MINUTES; minute++) {
    const act = minute % 2 === 0 ? 'suspendUser' : 'resumeUser';
    await platform.admin[act]({ appUuid: app.uuid, userId: 'joan' });
    platform.clock.advance(60_000);
  }
  // More than one object takes, as a busy hour has.
  await platform.db.execute({
    text: `
      insert into journal_entry (id, at, act)
      select gen_random_uuid(), at, '{"kind": "key.enabled"}' from journal_entry, generate_series(1, 20)
      where stored_at is null`,
  });
  await rename(`${folder}-away`, folder);
  const waiting = async () => {
    const text = 'select count(*)::int as count from journal_entry where stored_at is null';
    const [row] = await platform.db.query<{ count: number }>({ text });
    return row?.count;
  };
  expect(await waiting()).toBeGreaterThan(1_000);
  const isStored = async () => {
    platform.clock.advance(1_000);
    return (await waiting()) === 0 || undefined;
  };
  await until(isStored, { withinMs: 30_000, what: 'everything is stored' });
  const kinds = (await storedActs()).map(({ kind }) => kind);
  expect(kinds.length - before).toBeGreaterThan(1_000);
  expect(kinds.filter((kind) => /^user\.(suspended|resumed)$/.test(kind)).slice(-MINUTES)).toEqual(
    Array.from({ length: MINUTES / 2 }, () => ['user.suspended', 'user.resumed']).flat(),
  );
});

test('an act that is rolled back leaves no entry', async () => {
  const before = (await flushed()).length;
  const suspended = platform.admin.suspendUser({ appUuid: app.uuid, userId: 'nobody' });
  await expect(suspended).rejects.toMatchObject({ code: Code.NotFound });
  expect(await flushed()).toHaveLength(before);
});

test('entries are removed once no backup is older', async () => {
  const { journal } = platform.service.context;
  const count = async () => {
    const [row] = await platform.db.query<{ count: number }>({ text: 'select count(*) from journal_entry' });
    return row?.count ?? 0;
  };
  const before = (await flushed()).length;
  expect(before).toBeGreaterThan(0);
  platform.clock.advance((NO_JOURNAL.days - 1) * DAY_MS);
  await journal.prune();
  expect([(await storedActs()).length, await count()]).toEqual([before, before]);
  platform.clock.advance(2 * DAY_MS);
  await journal.prune();
  expect([await storedActs(), await count()]).toEqual([[], before]);
  platform.clock.advance(2 * DAY_MS);
  await journal.prune();
  // The service's own job may prune at the same time, and takes a part of it.
  await until(async () => (await count()) === 0 || undefined, { withinMs: 30_000, what: 'all are removed' });
});
