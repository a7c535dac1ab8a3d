import type { Revocation } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { until } from '@parley/testing';
import { insertRevocations } from '../../src/sql/revocation.ts';
import { sweepRevocations } from '../../src/timers/sweep-revocations.ts';
import { createTestApp, logIn, type TestApp } from '../support/app.ts';
import { startIdentity, type Platform } from '../support/platform.ts';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';

// Gateways must get every revocation, in any order of commits.

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
 * A cursor past all answered revocations. They are answered again while an older transaction of any database runs.
 */
async function settledCursor(): Promise<number> {
  const settle = async () => {
    const cursor = await currentCursor();
    const { revocations } = await platform.identity.listRevocations({ cursor });
    return revocations.length === 0 ? cursor : undefined;
  };
  return until(settle, { withinMs: 20_000, what: 'nothing is answered again' });
}

/** The revocations that `action` causes. */
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

test('cursor 0 answers the present cursor alone', async () => {
  await platform.admin.updateApp({ appUuid: app.uuid, name: 'Renamed' });
  expect(await platform.identity.listRevocations({ cursor: 0 })).toMatchObject({
    revocations: [],
    forgetAll: false,
  });
  expect(await currentCursor()).toBeGreaterThan(0);
});

test('the end of a session is answered by its id', async () => {
  const sessionToken = await logIn(platform, app, 'ada');
  const [id] = await findSessionIds('ada');
  const end = () => platform.identity.deleteSession({ appId: app.uuid, userId: 'ada', sessionToken });
  expect(await revokedBy(end)).toEqual([{ case: 'sessionId', value: id }]);
});

test('the end of all sessions of a user is answered session by session', async () => {
  await logIn(platform, app, 'grace');
  await logIn(platform, app, 'grace');
  const ids = await findSessionIds('grace');
  const answered = await revokedBy(() =>
    platform.identity.deleteUserSessions({ appId: app.uuid, userId: 'grace' }),
  );
  expect(answered.map(({ value }) => value).sort()).toEqual(ids.sort());
});

test('suspending, resuming and deleting a user is answered with their sessions', async () => {
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

test('a deleted access token is answered by its id', async () => {
  const { accessToken } = await platform.admin.createAccessToken({ appUuid: app.uuid, name: 'server' });
  const answered = await revokedBy(() =>
    platform.admin.deleteAccessToken({ accessTokenId: accessToken!.id }),
  );
  expect(answered).toEqual([{ case: 'accessTokenId', value: accessToken!.id.split('/').at(-1) }]);
});

test('changed settings, suspension and deletion of an application are answered as the application', async () => {
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

test('a revocation that commits after later ones were answered is answered too', async () => {
  let cursor = await currentCursor();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const late = platform.db.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await insertRevocations(tx, {
      appId: app.uuid,
      subjects: [{ userId: 'late' }],
      now: platform.clock.now(),
    });
    await held;
  }, HELD);
  const answered: string[] = [];
  const ask = async (): Promise<void> => {
    const answer = await platform.identity.listRevocations({ cursor });
    cursor = answer.cursor;
    for (const { subject } of answer.revocations)
      if (subject.case === 'user') answered.push(subject.value.userId);
  };
  for (const userId of ['early-1', 'early-2']) {
    await insertRevocations(platform.db, {
      appId: app.uuid,
      subjects: [{ userId }],
      now: platform.clock.now(),
    });
    await ask();
  }
  expect(new Set(answered)).toEqual(new Set(['early-1', 'early-2']));
  release();
  await late;
  await ask();
  expect(answered).toContain('late');
  await settledCursor();
  await ask();
  answered.length = 0;
  await ask();
  expect(answered).toEqual([]);
});

test('no revocation is skipped while many transactions commit in any order', async () => {
  let cursor = await currentCursor();
  const answered = new Set<string>();
  let writing = true;
  const reader = (async () => {
    for (let last = false; !last;) {
      last = !writing;
      const answer = await platform.identity.listRevocations({ cursor });
      cursor = answer.cursor;
      for (const { subject } of answer.revocations)
        if (subject.case === 'user') answered.add(subject.value.userId);
    }
  })();
  const users = Array.from({ length: 400 }, (_, i) => `user-${i}`);
  await Promise.all(users.map(revokeSlowly));
  writing = false;
  await reader;
  expect([...answered].filter((user) => user.startsWith('user-')).sort()).toEqual([...users].sort());
});

// Each transaction stays open for a different time after it has its id.
async function revokeSlowly(userId: string): Promise<void> {
  await platform.db.tx(async (tx) => {
    await insertRevocations(tx, { appId: app.uuid, subjects: [{ userId }], now: platform.clock.now() });
    await tx.execute({ text: 'select pg_sleep($1)', values: [Math.random() * 0.03] });
  });
}

test('a cursor that is too old, or of another database, is answered to forget everything', async () => {
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

test('a cursor of another epoch makes gateways forget everything, though its number is one that may be', async () => {
  const { cursor, epoch } = await platform.identity.listRevocations({ cursor: 0 });
  expect(epoch).not.toBe('');
  const ask = (asked: string) => platform.identity.listRevocations({ cursor, epoch: asked });
  expect(await ask(epoch)).toMatchObject({ forgetAll: false, epoch });
  expect(await ask('')).toMatchObject({ forgetAll: false });
  expect(await ask('another')).toMatchObject({ forgetAll: true, epoch });
});
