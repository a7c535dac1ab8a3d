import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BlockStep_Operation as Operation } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { createDatabase } from '@parley/kit/postgres';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createTestDatabase } from '@parley/testing';
import { createTestApp, logIn, signToken, type TestApp } from './support/app.ts';
import { NO_JOURNAL, startIdentity, type Platform } from './support/platform.ts';
import { findFlaw, resolve } from './support/tokens.ts';

const DAY_MS = 86_400_000;

let home: string;
let platform: Platform;
let app: TestApp;

beforeAll(async () => void (home = await mkdtemp(path.join(tmpdir(), 'parley-recovery-'))));
afterEach(() => platform.stop());
afterAll(() => rm(home, { recursive: true }));

/** Starts the service; `lose` takes its database back to what it was at the call. */
async function start(): Promise<{ lose(during: () => Promise<void>): Promise<void> }> {
  const [databaseUrl, backupUrl] = [await createTestDatabase(), await createTestDatabase()];
  const journal = { ...NO_JOURNAL, folder: path.join(home, randomUUID()) };
  platform = await startIdentity({ databaseUrl, journal });
  app = await createTestApp(platform);
  return {
    async lose(during) {
      await platform.stop();
      await copyDatabase(databaseUrl, backupUrl);
      platform = await startIdentity({ databaseUrl, journal });
      await during();
      await platform.service.context.journal.flush();
      await platform.stop();
      platform = await startIdentity({ databaseUrl: backupUrl, journal });
    },
  };
}

const nameOf = (url: string) => `"${new URL(url).pathname.slice(1)}"`;

async function copyDatabase(from: string, to: string): Promise<void> {
  const url = new URL(from);
  url.pathname = '/postgres';
  const log = createLogger({ service: 'test', level: 'silent' });
  const db = createDatabase({ url: url.href, poolSize: 1, log, applicationName: 'test' });
  await db.execute({ text: `drop database ${nameOf(to)}` });
  await db.execute({ text: `create database ${nameOf(to)} template ${nameOf(from)}` });
  await db.close();
}

/** Reads the whole journal, and answers how many acts were repeated. */
async function repeatJournal(): Promise<number> {
  const since = platform.clock.now() - DAY_MS;
  let repeated = 0;
  let after = '';
  do {
    const answer = await platform.recovery.repeatJournal({ since, after });
    repeated += answer.repeatedCount;
    after = answer.last;
  } while (after !== '');
  return repeated;
}

async function identityOf(userId: string) {
  const { identities } = await platform.identity.findIdentities({ appId: app.uuid, userIds: [userId] });
  return identities[0];
}

test('what the database has lost is repeated from the journal, once', async () => {
  const { lose } = await start();
  const tokens = {
    ada: await logIn(platform, app, 'ada'),
    bob: await logIn(platform, app, 'bob'),
    cid: await logIn(platform, app, 'cid'),
    dan: await logIn(platform, app, 'dan'),
  };
  const { accessToken, token } = await platform.admin.createAccessToken({ appUuid: app.uuid, name: 'Bot' });
  let erased = 0;
  await lose(async () => {
    const appId = app.uuid;
    const { identity } = await platform.identity.eraseUser({ appId, userId: 'ada' });
    erased = identity!.incarnation;
    await platform.identity.deleteSession({ appId, userId: 'bob', sessionToken: tokens.bob });
    await platform.admin.suspendUser({ appUuid: app.uuid, userId: 'cid' });
    await platform.admin.suspendUser({ appUuid: app.uuid, userId: 'dan' });
    await platform.admin.resumeUser({ appUuid: app.uuid, userId: 'dan' });
    await platform.admin.deleteAccessToken({ accessTokenId: accessToken!.id });
    await platform.admin.deleteKey({ keyId: app.keyId });
  });
  expect(await findFlaw(platform, tokens.bob)).toBeUndefined();
  expect(await repeatJournal()).toBeGreaterThan(5);
  expect(await identityOf('ada')).toMatchObject({ deleted: true, incarnation: erased });
  for (const name of ['ada', 'bob', 'cid', 'dan'] as const)
    expect(await findFlaw(platform, tokens[name])).toBe('authentication_required');
  expect(await identityOf('cid')).toMatchObject({ suspended: true });
  expect(await identityOf('dan')).toMatchObject({ suspended: false });
  const [outcome] = await resolve(platform, [{ kind: 'access', token }]);
  expect(outcome?.case).toBe('problem');
  const login = platform.identity.createSession({
    appId: app.uuid,
    identityToken: await signToken(platform, app, 'eve'),
  });
  await expect(login).rejects.toThrow();
  expect(await repeatJournal()).toBe(0);
});

test('what was decided after the restore is not undone by repeating the journal again', async () => {
  const { lose } = await start();
  await logIn(platform, app, 'ada');
  await lose(async () => {
    await platform.admin.suspendUser({ appUuid: app.uuid, userId: 'ada' });
    await platform.identity.eraseUser({ appId: app.uuid, userId: 'ada' });
  });
  await repeatJournal();
  const token = await logIn(platform, app, 'ada');
  expect(await repeatJournal()).toBe(0);
  expect(await findFlaw(platform, token)).toBeUndefined();
  expect(await identityOf('ada')).toMatchObject({ deleted: false });
});

test('an application that was deleted or suspended is so again', async () => {
  const { lose } = await start();
  const other = await createTestApp(platform);
  await lose(async () => {
    await platform.admin.deleteApp({ appUuid: app.uuid });
    await platform.admin.suspendApp({ appUuid: other.uuid });
  });
  expect(await repeatJournal()).toBe(2);
  const { apps } = await platform.admin.listApps({});
  expect(apps.map(({ appUuid, suspended }) => ({ appUuid, suspended }))).toEqual([
    { appUuid: other.uuid, suspended: true },
  ]);
});

test('copies of identities that are ahead are followed: by a higher version, a new identity, or an erasure', async () => {
  await start();
  const appId = app.uuid;
  for (const userId of ['ada', 'bob']) await logIn(platform, app, userId, { display_name: userId });
  const [ada, bob] = [await identityOf('ada'), await identityOf('bob')];
  const copy = { appId, isBot: false, deleted: false, incarnation: 0 };
  const copies = [
    { ...copy, userId: 'ada', displayName: 'Countess', version: ada!.version + 3 },
    {
      ...copy,
      userId: 'bob',
      displayName: 'Robert',
      version: bob!.version + 4,
      incarnation: bob!.version + 2,
    },
    { ...copy, userId: 'cid', displayName: 'Cid', version: 2 },
    { ...copy, appId: randomUUID(), userId: 'dan', version: 1 },
  ];
  const answer = await platform.recovery.adoptIdentities({ copies });
  expect(answer).toMatchObject({ renewedCount: 1, erasedCount: 1, createdCount: 1, withoutAppCount: 1 });
  expect(await identityOf('ada')).toMatchObject({ displayName: 'ada', version: ada!.version + 4 });
  const returned = await identityOf('bob');
  expect(returned).toMatchObject({ displayName: 'Robert', incarnation: bob!.version + 2, deleted: false });
  expect(returned!.version).toBeGreaterThan(bob!.version + 4);
  expect(await identityOf('cid')).toMatchObject({ displayName: 'Cid', version: 3 });
  const again = await platform.recovery.adoptIdentities({ copies });
  expect(again).toMatchObject({ renewedCount: 0, erasedCount: 0, createdCount: 0 });
});

test('blocks that only messaging remembers are taken over, and new ones have higher versions', async () => {
  await start();
  const appId = app.uuid;
  for (const userId of ['ada', 'bob', 'cid', 'dan']) await logIn(platform, app, userId);
  const block = (operation: Operation, userId: string) =>
    platform.relations.updateBlocks({
      ...{ appId, ownerUserId: 'ada', steps: [{ operation, userIds: [userId] }], oneByPath: false },
    });
  await block(Operation.ADD, 'bob');
  const copy = { appId, ownerUserId: 'ada', blockedIncarnation: 0, ownerIncarnation: 0 };
  const copies = [
    { ...copy, blockedUserId: 'bob', active: false, version: 700 },
    { ...copy, blockedUserId: 'cid', active: true, version: 701 },
    { ...copy, blockedUserId: 'gone', active: true, version: 702 },
  ];
  await platform.recovery.raiseVersions({});
  expect(await platform.recovery.adoptBlocks({ copies })).toMatchObject({ adoptedCount: 2 });
  expect(await platform.recovery.adoptBlocks({ copies })).toMatchObject({ adoptedCount: 0 });
  const { blocks } = await platform.relations.listBlockStates({ appId, ownerUserId: 'ada', pageSize: 10 });
  expect(blocks.map(({ blockedUserId, blocked }) => `${blockedUserId} ${blocked}`)).toEqual([
    'bob false',
    'cid true',
  ]);
  const { blocks: added } = await block(Operation.ADD, 'dan');
  expect(added[0]!.version).toBeGreaterThan(702);
});

test('a block that an erasure ended here does not come back from a messaging service that is behind', async () => {
  await start();
  const appId = app.uuid;
  for (const userId of ['ada', 'bob']) await logIn(platform, app, userId);
  await platform.identity.eraseUser({ appId, userId: 'bob' });
  await logIn(platform, app, 'bob');
  const ends = { blockedIncarnation: 0, ownerIncarnation: 0 };
  const copies = [{ appId, ownerUserId: 'ada', blockedUserId: 'bob', active: true, version: 900, ...ends }];
  expect(await platform.recovery.adoptBlocks({ copies })).toMatchObject({ adoptedCount: 0 });
});

test('memberships that messaging has lost are taken back', async () => {
  await start();
  const appId = app.uuid;
  const [shorter, gone, whole] = [randomUUID(), randomUUID(), randomUUID()].sort();
  const members: [string, string, number, number | null][] = [
    [shorter!, 'ada', 1, null],
    [shorter!, 'bob', 1, 7],
    [shorter!, 'cid', 8, null],
    [gone!, 'dan', 1, null],
    [whole!, 'ada', 1, 9],
  ];
  for (const [conversation, user, joined, left] of members)
    await platform.db.execute({
      text: `insert into membership (app_id, user_id, conversation_id, joined_seq, joined_at, left_seq)
        values ($1, $2, $3, $4, now(), $5)`,
      values: [appId, user, conversation, joined, left],
    });
  const { conversations } = await platform.recovery.listKnownConversations({});
  expect(conversations.map(({ conversationId, seq }) => [conversationId, seq])).toEqual([
    [shorter, 8],
    [gone, 1],
    [whole, 9],
  ]);
  const lost = [
    { appId, conversationId: shorter!, seq: 6 },
    { appId, conversationId: gone!, seq: 0 },
  ];
  const { takenBackCount } = await platform.recovery.takeBackMemberships({ conversations: lost });
  expect(takenBackCount).toBe(3);
  const text = 'select user_id, joined_seq, left_seq from membership order by conversation_id, user_id';
  expect(await platform.db.query({ text })).toEqual([
    { user_id: 'ada', joined_seq: 1, left_seq: null },
    { user_id: 'bob', joined_seq: 1, left_seq: null },
    { user_id: 'ada', joined_seq: 1, left_seq: 9 },
  ]);
});

test('without a journal the answer says so', async () => {
  platform = await startIdentity();
  expect(await platform.recovery.repeatJournal({ since: 1 })).toMatchObject({ isMissing: true });
});
