import { upsertPushToken } from '../../src/sql/push-token.ts';
import { createTestApp, logIn, uuidOf, type TestApp } from '../support/app.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startIdentity, type Platform } from '../support/platform.ts';

// docs/protocol/administration.md#methods

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity();
});

afterAll(() => platform.stop());

describe('users', () => {
  let owner: TestApp;
  const names = { a_1: 'Ada', a_2: 'Alan', ab: 'Grace', b: 'ADELE', ü: 'Über' };

  beforeAll(async () => {
    owner = await createTestApp(platform);
    for (const [user, name] of Object.entries(names))
      await logIn(platform, owner, user, { display_name: name });
    await logIn(platform, owner, 'a_deleted');
    await platform.identity.deleteIdentity({ appId: owner.uuid, userId: 'a_deleted' });
  });

  const search = async (query: string, page = {}) => {
    const { users } = await platform.admin.searchUsers({ appUuid: owner.uuid, query, ...page });
    return users.map(({ userId }) => userId);
  };

  test('are found by a prefix of the user id or the display name, in the order of their ids', async () => {
    expect(await search('')).toEqual(['a_1', 'a_2', 'ab', 'b', 'ü']);
    expect(await search('a_')).toEqual(['a_1', 'a_2']);
    expect(await search('ad')).toEqual(['a_1', 'b']);
    expect(await search('gRA')).toEqual(['ab']);
    expect(await search('%')).toEqual([]);
    expect(await search('\\')).toEqual([]);
  });

  test('come in pages', async () => {
    expect(await search('', { pageSize: 2 })).toEqual(['a_1', 'a_2']);
    expect(await search('', { pageSize: 2, fromId: 'a_2' })).toEqual(['ab', 'b']);
    expect(await search('', { pageSize: 1_000, fromId: 'ab' })).toEqual(['b', 'ü']);
    // The id of a user who is gone.
    expect(await search('', { pageSize: 2, fromId: 'a_3' })).toEqual(['ab', 'b']);
    await expectProblem(search('', { pageSize: -1 }), 'invalid_property', { property: 'page_size' });
  });

  test('have sessions, without their tokens', async () => {
    const { sessions } = await platform.admin.listUserSessions({ appUuid: owner.uuid, userId: 'b' });
    const createdAt = platform.clock.now();
    expect(sessions).toMatchObject([{ createdAt, expiresAt: createdAt + 2_592_000_000 }]);
    await expectProblem(platform.admin.listUserSessions({ appUuid: owner.uuid, userId: 'x' }), 'not_found');
  });

  test('have devices, without their push tokens', async () => {
    const { uuid: appUuid } = owner;
    const updatedAt = platform.clock.now();
    const device = { deviceId: 'phone', type: 'fcm', token: 'a secret of the phone', details: {}, updatedAt };
    await upsertPushToken(platform.db, { appId: appUuid, userId: 'b' }, device);
    const { devices } = await platform.admin.listUserDevices({ appUuid, userId: 'b' });
    expect(devices).toMatchObject([{ deviceId: 'phone', type: 'fcm', updatedAt }]);
    expect(JSON.stringify(devices)).not.toContain('secret');
    expect((await platform.admin.listUserDevices({ appUuid, userId: 'ab' })).devices).toEqual([]);
    await expectProblem(platform.admin.listUserDevices({ appUuid, userId: 'x' }), 'not_found');
  });

  test('are counted, the deleted ones not', async () => {
    expect(await platform.admin.getStatistics({ appUuid: owner.uuid })).toMatchObject({
      apps: 1,
      users: 5,
      sessions: 5,
    });
    await createTestApp(platform);
    const all = await platform.admin.getStatistics({});
    expect(all.apps).toBeGreaterThanOrEqual(2);
    expect(all.users).toBeGreaterThanOrEqual(5);
  });
});

describe('audit log', () => {
  test('has each action, newest first, and none that failed or changed nothing', async () => {
    const owner = await createTestApp(platform);
    const appUuid = owner.uuid;
    await logIn(platform, owner, 'ada');
    await platform.admin.suspendUser({ appUuid, userId: 'ada' });
    await platform.admin.suspendUser({ appUuid, userId: 'ada' });
    await expectProblem(platform.admin.suspendUser({ appUuid, userId: 'nobody' }), 'not_found');
    await platform.identity.setUserSuspended({ appId: appUuid, userId: 'ada', suspended: false });
    await platform.admin.disableKey({ keyId: owner.keyId });
    await platform.admin.deleteKey({ keyId: owner.keyId });
    await platform.admin.suspendApp({ appUuid });
    await platform.admin.deleteApp({ appUuid });
    const { entries } = await platform.admin.listAuditEntries({ appUuid });
    expect(entries.map(({ action, actor, subject }) => [action, actor, subject])).toEqual([
      ['app.deleted', 'admin', appUuid],
      ['app.suspended', 'admin', appUuid],
      ['key.deleted', 'admin', uuidOf(owner.keyId)],
      ['key.disabled', 'admin', uuidOf(owner.keyId)],
      ['user.resumed', 'server', 'ada'],
      ['user.suspended', 'admin', 'ada'],
      ['key.created', 'admin', uuidOf(owner.keyId)],
      ['provider.created', 'admin', uuidOf(owner.providerId)],
      ['app.created', 'admin', appUuid],
    ]);
    const page = await platform.admin.listAuditEntries({ appUuid, pageSize: 2, fromId: entries[1]!.id });
    expect(page.entries).toEqual(entries.slice(2, 4));
    expect((await platform.admin.listAuditEntries({ pageSize: 1 })).entries).toEqual([entries[0]]);
  });
});
