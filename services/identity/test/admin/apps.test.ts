import { hash } from 'node:crypto';
import { Caller_Kind } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { createTestApp, type TestApp } from '../support/app.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { listenToEvents, startIdentity, type Platform } from '../support/platform.ts';

// docs/protocol/administration.md#methods

let platform: Platform;
let app: TestApp;

const unknown = '0197a3e0-0000-7000-8000-000000000000';

beforeAll(async () => {
  platform = await startIdentity();
  app = await createTestApp(platform);
});

afterAll(() => platform.stop());

test('an application is created with a name and an environment', async () => {
  const { app: made } = await platform.admin.createApp({ name: 'Shop', environment: 'production' });
  expect(made).toMatchObject({
    id: `svc:///apps/production/${made?.appUuid}`,
    name: 'Shop',
    environment: 'production',
    suspended: false,
    sessionTtlInSeconds: 2_592_000,
    allowedOrigins: [],
    inlineBodyBytes: 2048,
    publicIdentityFields: [],
    createdAt: platform.clock.now(),
  });
  expect((await platform.admin.getApp({ appUuid: made!.appUuid })).app).toEqual(made);
  expect((await platform.admin.getApp({ appUuid: made!.id })).app).toEqual(made);
  expect((await platform.admin.listApps({})).apps).toContainEqual(made);
});

test('applications are in the cells with the fewest, and stay there when they are deleted', async () => {
  const own = await startIdentity({ cells: { kind: 'schemas', count: 3 } });
  const create = async () => (await own.admin.createApp({ name: 'Shop', environment: 'test' })).app!.appUuid;
  const appIds = [await create(), await create(), await create(), await create()];
  expect((await own.identity.getAppCells({ appIds })).cells).toEqual([0, 1, 2, 0]);
  await own.admin.deleteApp({ appUuid: appIds[1]! });
  const next = await create();
  const asked = { appIds: [next, appIds[1]!, unknown, 'no id'] };
  expect((await own.identity.getAppCells(asked)).cells).toEqual([1, 1, -1, -1]);
  expect(await own.identity.countCellApps({})).toMatchObject({ counts: [2, 1, 1], openCount: 3 });
  await own.stop();
});

test.each([
  [{ environment: 'production' }, 'missing_property', 'name'],
  [{ name: 'Shop' }, 'missing_property', 'environment'],
  [{ name: 'a'.repeat(129), environment: 'production' }, 'invalid_property', 'name'],
  [{ name: 'Shop', environment: 'Pro/duction' }, 'invalid_property', 'environment'],
])('%j is not an app', async (request, id, property) => {
  await expectProblem(platform.admin.createApp(request), id, { property });
});

test('settings that an update does not name stay', async () => {
  const appUuid = (await createTestApp(platform)).uuid;
  const allowedOrigins = { origins: ['https://a.example', 'http://localhost:3000'] };
  await platform.admin.updateApp({ appUuid, allowedOrigins, sessionTtlInSeconds: 30 });
  const { app: updated } = await platform.admin.updateApp({ appUuid, name: 'Renamed' });
  expect(updated).toMatchObject({
    name: 'Renamed',
    sessionTtlInSeconds: 30,
    allowedOrigins: ['https://a.example', 'http://localhost:3000'],
  });
  const { app: cleared } = await platform.admin.updateApp({ appUuid, allowedOrigins: {} });
  expect(cleared).toMatchObject({ name: 'Renamed', allowedOrigins: [] });
});

test('a new application opens no private field, and opens and closes them as it likes', async () => {
  const { uuid: appUuid } = await createTestApp(platform);
  const { token } = await platform.admin.createAccessToken({ appUuid, name: 'backend' });
  const items = [{ kind: Caller_Kind.ACCESS_TOKEN, tokenHash: hash('sha256', token, 'buffer') }];
  const openFields = async () => {
    const outcome = (await platform.identity.resolveTokens({ items })).results[0]?.outcome;
    const told = outcome?.case === 'caller' ? outcome.value.publicIdentityFields?.names : undefined;
    expect((await platform.admin.getApp({ appUuid })).app?.publicIdentityFields).toEqual(told);
    return told;
  };
  expect(await openFields()).toEqual([]);
  const both = ['email_address', 'phone_number'];
  await platform.identity.updateAppSettings({ appId: appUuid, publicIdentityFields: { names: both } });
  expect(await openFields()).toEqual(both);
  await platform.admin.updateApp({ appUuid, name: 'Renamed' });
  expect(await openFields()).toEqual(both);
  await platform.admin.updateApp({ appUuid, publicIdentityFields: { names: ['phone_number'] } });
  expect(await openFields()).toEqual(['phone_number']);
  await platform.identity.updateAppSettings({ appId: appUuid, publicIdentityFields: {} });
  expect(await openFields()).toEqual([]);
});

test.each([
  [['display_name']],
  [['phone_number', 'phone_number']],
  [['Phone_Number']],
  [['']],
  [['__proto__']],
])('%j are not private fields that can be opened', async (names) => {
  const data = { property: 'public_identity_fields' };
  const publicIdentityFields = { names };
  const byAdmin = platform.admin.updateApp({ appUuid: app.uuid, publicIdentityFields });
  await expectProblem(byAdmin, 'invalid_property', data);
  const byServer = platform.identity.updateAppSettings({ appId: app.uuid, publicIdentityFields });
  await expectProblem(byServer, 'invalid_property', data);
});

test('an application that the previous release makes opens no private field', async () => {
  const other = '0197a3e0-0000-7000-8000-000000000001';
  const { uuid: appUuid } = await createTestApp(platform);
  await platform.db.execute({
    text: `
      insert into app (id, name, environment, suspended, session_ttl_in_seconds, created_at)
      select $1, name, environment, false, session_ttl_in_seconds, created_at from app where id = $2`,
    values: [other, appUuid],
  });
  expect((await platform.admin.getApp({ appUuid: other })).app?.publicIdentityFields).toEqual([]);
});

test.each([29, 31_536_001, 60.5, Number.NaN])('a session cannot last %d s', async (sessionTtlInSeconds) => {
  const data = { property: 'session_ttl_in_seconds' };
  await expectProblem(
    platform.admin.updateApp({ appUuid: app.uuid, sessionTtlInSeconds }),
    'invalid_property',
    data,
  );
  const settings = { appId: app.uuid, sessionTtlInSeconds };
  await expectProblem(platform.identity.updateAppSettings(settings), 'invalid_property', data);
});

test.each([2_047, 65_537, 4_096.5, Number.NaN])(
  'a body cannot be limited to %d bytes',
  async (inlineBodyBytes) => {
    const data = { property: 'inline_body_bytes' };
    await expectProblem(
      platform.admin.updateApp({ appUuid: app.uuid, inlineBodyBytes }),
      'invalid_property',
      data,
    );
    const settings = { appId: app.uuid, inlineBodyBytes };
    await expectProblem(platform.identity.updateAppSettings(settings), 'invalid_property', data);
  },
);

test('a resolved token has its application’s limit for inline bodies', async () => {
  const { uuid: appUuid } = await createTestApp(platform);
  const { token } = await platform.admin.createAccessToken({ appUuid, name: 'backend' });
  const tokenHash = hash('sha256', token, 'buffer');
  const limitOf = async () => {
    const { results } = await platform.identity.resolveTokens({
      items: [{ kind: Caller_Kind.ACCESS_TOKEN, tokenHash }],
    });
    const outcome = results[0]?.outcome;
    return outcome?.case === 'caller' ? outcome.value.inlineBodyBytes : undefined;
  };
  expect(await limitOf()).toBe(2_048);
  await platform.identity.updateAppSettings({ appId: appUuid, inlineBodyBytes: 65_536 });
  expect(await limitOf()).toBe(65_536);
  const { app: shown } = await platform.admin.updateApp({ appUuid, inlineBodyBytes: 4_096 });
  expect([shown?.inlineBodyBytes, await limitOf()]).toEqual([4_096, 4_096]);
  expect((await platform.admin.updateApp({ appUuid, name: 'Renamed' })).app?.inlineBodyBytes).toBe(4_096);
});

test.each(['a.example', 'https://a.example/', 'https://a.example/path', '*', 'null', ''])(
  '%j is not an origin',
  async (origin) => {
    const call = platform.admin.updateApp({ appUuid: app.uuid, allowedOrigins: { origins: [origin] } });
    await expectProblem(call, 'invalid_property', { property: 'allowed_origins' });
  },
);

test('an app allows at most a hundred origins', async () => {
  const origins = Array.from({ length: 101 }, (_, index) => `https://${index}.example`);
  const update = (count: number) =>
    platform.admin.updateApp({ appUuid: app.uuid, allowedOrigins: { origins: origins.slice(0, count) } });
  await update(100);
  await expectProblem(update(101), 'invalid_property', { property: 'allowed_origins' });
  await update(0);
});

test('a deleted application is gone, with its providers, keys and tokens', async () => {
  const gone = await createTestApp(platform);
  const appUuid = gone.uuid;
  await platform.admin.deleteApp({ appUuid });
  const calls = [
    platform.admin.getApp({ appUuid }),
    platform.admin.updateApp({ appUuid, name: 'x' }),
    platform.admin.suspendApp({ appUuid }),
    platform.admin.deleteApp({ appUuid }),
    platform.admin.listProviders({ appUuid }),
    platform.admin.listKeys({ providerId: gone.providerId }),
    platform.admin.disableKey({ keyId: gone.keyId }),
    platform.admin.createAccessToken({ appUuid, name: 'x' }),
    platform.admin.searchUsers({ appUuid }),
    platform.identity.updateAppSettings({ appId: appUuid, sessionTtlInSeconds: 60 }),
  ];
  await Promise.all(calls.map((call) => expectProblem(call, 'not_found')));
  const { apps } = await platform.admin.listApps({});
  expect(apps.map((each) => each.appUuid)).not.toContain(appUuid);
});

test('the deletion of an application is published to other services', async () => {
  const { uuid: appUuid } = await createTestApp(platform);
  const published = await listenToEvents(platform.bus, appUuid);
  await platform.admin.deleteApp({ appUuid });
  const [event] = await published.wait(1);
  expect([event?.appId, event?.body.case]).toEqual([appUuid, 'appDeleted']);
  published.close();
});

test('references must be a URI of the right kind or a UUID, and exist', async () => {
  await expectProblem(platform.admin.getApp({}), 'missing_property', { property: 'app_uuid' });
  await expectProblem(platform.admin.getApp({ appUuid: 'mine' }), 'invalid_property', {
    property: 'app_uuid',
  });
  await expectProblem(platform.admin.getApp({ appUuid: app.keyId }), 'invalid_property', {
    property: 'app_uuid',
  });
  await expectProblem(platform.admin.getApp({ appUuid: unknown }), 'not_found');
  await expectProblem(platform.admin.listKeys({}), 'missing_property', { property: 'provider_id' });
  await expectProblem(platform.admin.deleteKey({ keyId: app.providerId }), 'invalid_property', {
    property: 'key_id',
  });
  await expectProblem(platform.admin.deleteAccessToken({ accessTokenId: unknown }), 'not_found');
});
