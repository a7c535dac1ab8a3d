import type { Revocation } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { until } from '@parley/stack/testing';
import { insertRevocations } from '../src/sql/revocation.ts';
import { sweepRevocations } from '../src/timers/sweep-revocations.ts';
import { createTestApp, logIn, type TestApp } from './app.ts';
import { startIdentity, type Platform } from './platform.ts';

// Gateways must learn of every revocation, in whatever order transactions commit.

let platform: Platform;
let app: TestApp;

beforeAll(async () => {
  platform = await startIdentity();
  app = await createTestApp(platform);
});

afterAll(() => platform.stop());

async function currentCursor(): Promise<number> {
  return (await platform.identity.listRevocations({ cursor: 0 })).cursor;
}

/**
 * Past everything that is told already: that is told again for as long as a transaction runs, of whatever database, that
 * is older.
 */
async function settledCursor(): Promise<number> {
  const settle = async () => {
    const cursor = await currentCursor();
    const { revocations } = await platform.identity.listRevocations({ cursor });
    return revocations.length === 0 ? cursor : undefined;
  };
  return until(settle, { withinMs: 20_000, what: 'nothing is told again' });
}

/** What is told of what happens in `action`. */
async function revokedBy(action: () => Promise<unknown>): Promise<Revocation['subject'][]> {
  const cursor = await settledCursor();
  await action();
  const { revocations, forgetAll } = await platform.identity.listRevocations({ cursor });
  expect(forgetAll).toBe(false);
  return revocations.map(({ subject }) => subject);
}

async function findSessionIds(userId: string): Promise<string[]> {
  const { sessions } = await platform.admin.listUserSessions({ appUuid: app.uuid, userId });
  return sessions.map(({ id }) => id);
}

function userRef(userId: string) {
  return {
    case: 'user',
    value: expect.objectContaining({ appId: app.uuid, userId }),
  };
}

test('cursor 0 only tells the present cursor', async () => {
  await platform.admin.updateApp({ appUuid: app.uuid, name: 'Renamed' });
  expect(await platform.identity.listRevocations({ cursor: 0 })).toMatchObject({
    revocations: [],
    forgetAll: false,
  });
  expect(await currentCursor()).toBeGreaterThan(0);
});

test('the end of a session is told by its id', async () => {
  const sessionToken = await logIn(platform, app, 'ada');
  const [id] = await findSessionIds('ada');
  const end = () => platform.identity.deleteSession({ appId: app.uuid, userId: 'ada', sessionToken });
  expect(await revokedBy(end)).toEqual([{ case: 'sessionId', value: id }]);
});

test('the end of all sessions of a user is told one by one', async () => {
  await logIn(platform, app, 'grace');
  await logIn(platform, app, 'grace');
  const ids = await findSessionIds('grace');
  const told = await revokedBy(() =>
    platform.identity.deleteUserSessions({ appId: app.uuid, userId: 'grace' }),
  );
  expect(told.map(({ value }) => value).sort()).toEqual(ids.sort());
});

test('suspending and resuming a user, and deleting them, is told with their sessions', async () => {
  await logIn(platform, app, 'eve');
  const [id] = await findSessionIds('eve');
  const suspend = (suspended: boolean) => () =>
    platform.identity.setUserSuspended({ appId: app.uuid, userId: 'eve', suspended });
  expect(await revokedBy(suspend(true))).toEqual([{ case: 'sessionId', value: id }, userRef('eve')]);
  expect(await revokedBy(suspend(true))).toEqual([]);
  expect(await revokedBy(suspend(false))).toEqual([userRef('eve')]);
  await logIn(platform, app, 'eve');
  const [other] = await findSessionIds('eve');
  const remove = () => platform.identity.deleteIdentity({ appId: app.uuid, userId: 'eve' });
  expect(await revokedBy(remove)).toEqual([{ case: 'sessionId', value: other }, userRef('eve')]);
});

test('a deleted access token is told by its id', async () => {
  const { accessToken } = await platform.admin.createAccessToken({ appUuid: app.uuid, name: 'server' });
  const told = await revokedBy(() => platform.admin.deleteAccessToken({ accessTokenId: accessToken!.id }));
  expect(told).toEqual([{ case: 'accessTokenId', value: accessToken!.id.split('/').at(-1) }]);
});

test('settings, suspension and deletion of an app are told as the app', async () => {
  const other = await createTestApp(platform);
  const appRef = [{ case: 'appId', value: other.uuid }];
  const appUuid = other.uuid;
  expect(await revokedBy(() => platform.admin.updateApp({ appUuid, sessionTtlInSeconds: 60 }))).toEqual(
    appRef,
  );
  const settings = { appId: appUuid, sessionTtlInSeconds: 90 };
  expect(await revokedBy(() => platform.identity.updateAppSettings(settings))).toEqual(appRef);
  expect(await revokedBy(() => platform.admin.suspendApp({ appUuid }))).toEqual(appRef);
  expect(await revokedBy(() => platform.admin.resumeApp({ appUuid }))).toEqual(appRef);
  expect(await revokedBy(() => platform.admin.deleteApp({ appUuid }))).toEqual(appRef);
});

test('a revocation that commits after later ones were told is told all the same', async () => {
  let cursor = await currentCursor();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const late = platform.db.tx(async (tx) => {
    await insertRevocations(tx, {
      appId: app.uuid,
      subjects: [{ userId: 'late' }],
      now: platform.clock.now(),
    });
    await held;
  });
  const told: string[] = [];
  const ask = async (): Promise<void> => {
    const answer = await platform.identity.listRevocations({ cursor });
    cursor = answer.cursor;
    for (const { subject } of answer.revocations)
      if (subject.case === 'user') told.push(subject.value.userId);
  };
  for (const userId of ['early-1', 'early-2']) {
    await insertRevocations(platform.db, {
      appId: app.uuid,
      subjects: [{ userId }],
      now: platform.clock.now(),
    });
    await ask();
  }
  expect(new Set(told)).toEqual(new Set(['early-1', 'early-2']));
  release();
  await late;
  await ask();
  expect(told).toContain('late');
  await settledCursor();
  await ask();
  told.length = 0;
  await ask();
  expect(told).toEqual([]);
});

test('nothing is skipped while many transactions commit in any order', async () => {
  let cursor = await currentCursor();
  const told = new Set<string>();
  let writing = true;
  const reader = (async () => {
    for (let last = false; !last;) {
      last = !writing;
      const answer = await platform.identity.listRevocations({ cursor });
      cursor = answer.cursor;
      for (const { subject } of answer.revocations)
        if (subject.case === 'user') told.add(subject.value.userId);
    }
  })();
  const users = Array.from({ length: 400 }, (_, i) => `user-${i}`);
  await Promise.all(users.map(revokeSlowly));
  writing = false;
  await reader;
  expect([...told].filter((user) => user.startsWith('user-')).sort()).toEqual([...users].sort());
});

// The transaction stays open for a moment of its own after it has its id.
async function revokeSlowly(userId: string): Promise<void> {
  await platform.db.tx(async (tx) => {
    await insertRevocations(tx, { appId: app.uuid, subjects: [{ userId }], now: platform.clock.now() });
    await tx.execute({ text: 'select pg_sleep($1)', values: [Math.random() * 0.03] });
  });
}

test('who asks with a cursor that is too old, or from elsewhere, is told to forget everything', async () => {
  const old = await currentCursor();
  await platform.admin.updateApp({ appUuid: app.uuid, name: 'Once more' });
  const present = await settledCursor();
  platform.clock.advance(86_400_001);
  await sweepRevocations(platform.service.context);
  const [row] = await platform.db.query<{ count: number }>({ text: 'select count(*) from revocation' });
  expect(row?.count).toBe(0);
  expect(await platform.identity.listRevocations({ cursor: old })).toMatchObject({ forgetAll: true });
  expect(await platform.identity.listRevocations({ cursor: present })).toMatchObject({ forgetAll: false });
  expect(await platform.identity.listRevocations({ cursor: present + 1e9 })).toMatchObject({
    forgetAll: true,
  });
});
