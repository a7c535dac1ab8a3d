import { expectProblem } from '@parley/domain/testing/problems';
import { createTestApp, logIn, signToken, type TestApp } from '../support/app.ts';
import { startIdentity, type Platform } from '../support/platform.ts';

// docs/protocol/requests.md#user-ids

/** Ids that no new user gets, and that users of earlier releases may have. */
const ODD = ['.', '..', 'svc:///identities/alice', 'chat:///identities/alice', 'é:///x', 'svc:///'];
const WRONG_TYPE = { property: 'identity_token', reason: 'eit_claim_wrong_type' };

let platform: Platform;
let app: TestApp;

beforeAll(async () => {
  platform = await startIdentity();
  app = await createTestApp(platform);
});

afterAll(() => platform.stop());

/** A user of an earlier release. */
async function store(userId: string): Promise<void> {
  await platform.db.query({
    text: `insert into identity (app_id, user_id, type, metadata, suspended, deleted, version)
      values ($1, $2, 1, '{}', false, false, 1)
      on conflict (app_id, user_id) do update set deleted = false`,
    values: [app.uuid, userId],
  });
}

async function isThere(userId: string): Promise<boolean> {
  const { identities } = await platform.identity.findIdentities({ appId: app.uuid, userIds: [userId] });
  return identities.some(({ deleted }) => !deleted);
}

describe.each(ODD)('the user id %s', (userId) => {
  const user = () => ({ appId: app.uuid, userId });

  test('is given to nobody by a login, and the validation of a token says so', async () => {
    await expectProblem(logIn(platform, app, userId), 'invalid_property', WRONG_TYPE);
    const identityToken = await signToken(platform, app, userId);
    const { rules } = await platform.admin.validateIdentityToken({ appUuid: app.uuid, identityToken });
    expect(rules.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual(['claims.prn']);
    expect(await isThere(userId)).toBe(false);
  });

  test('is given to nobody by a server', async () => {
    const identity = { ...user(), displayName: 'Odd' };
    const created = platform.identity.createIdentity({ identity });
    await expectProblem(created, 'invalid_property', { property: 'user_id' });
    await expectProblem(platform.identity.replaceIdentity({ identity }), 'not_found');
    expect(await isThere(userId)).toBe(false);
  });

  test('is kept by a user who has it, until the user is erased', async () => {
    await store(userId);
    expect(await logIn(platform, app, userId, { display_name: 'Odd' })).toEqual(expect.any(String));
    await platform.identity.replaceIdentity({ identity: { ...user(), displayName: 'Odder' } });
    expect(await isThere(userId)).toBe(true);
    const { users } = await platform.admin.searchUsers({ appUuid: app.uuid, query: userId });
    expect(users.map((found) => found.userId)).toContain(userId);
    await platform.identity.eraseUser(user());
    expect(await isThere(userId)).toBe(false);
    await expectProblem(logIn(platform, app, userId), 'invalid_property', WRONG_TYPE);
  });
});

test('the administration API names a user by the URI of the identity, too, and by nothing else that looks like one', async () => {
  const alice = 'svc:///identities/alice';
  await platform.identity.createIdentity({
    identity: { appId: app.uuid, userId: 'alice', displayName: 'A' },
  });
  await store(alice);
  const suspended = async (userId: string) => {
    const { identities } = await platform.identity.findIdentities({ appId: app.uuid, userIds: [userId] });
    return identities[0]?.suspended;
  };
  await platform.admin.suspendUser({ appUuid: app.uuid, userId: alice });
  expect([await suspended('alice'), await suspended(alice)]).toEqual([true, false]);
  const uri = `svc:///identities/${encodeURIComponent(alice)}`;
  await platform.admin.suspendUser({ appUuid: app.uuid, userId: uri });
  expect(await suspended(alice)).toBe(true);
  const foreign = platform.admin.suspendUser({ appUuid: app.uuid, userId: 'chat:///identities/alice' });
  await expectProblem(foreign, 'not_found');
  expect((await platform.admin.listUserSessions({ appUuid: app.uuid, userId: uri })).sessions).toEqual([]);
});
