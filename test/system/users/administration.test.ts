import { adminCall, createApp, type TestApp } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import { platform } from '../../support/platform.ts';
import { untilRefused } from '../../support/refused.ts';
import { until } from '../../support/until.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createApp(await platform(), 'administered');
});

function rpc(method: string) {
  return `${app.baseUrl}/admin/rpc/parley.identity.v1.AdminService/${method}`;
}

describe('the administration API', () => {
  test.each([undefined, 'Bearer nonsense', 'Bearer ', 'Basic YTpi'])(
    'refuses Authorization %j',
    async (authorization) => {
      const { body } = await call('POST', rpc('ListApps'), 401, {
        headers: { accept: undefined, authorization },
        body: {},
      });
      expect(body).toMatchObject({ code: 'unauthenticated' });
    },
  );

  test('refuses an app’s access token', async () => {
    const headers = { accept: undefined, authorization: `Bearer ${app.accessToken}` };
    await call('POST', rpc('ListApps'), 401, { headers, body: {} });
  });

  test('an unknown method is not found', async () => {
    const headers = { accept: undefined, authorization: `Bearer ${app.platform.adminToken}` };
    await call('POST', rpc('DropEverything'), 404, { headers, body: {} });
  });

  test('shows and changes apps', async () => {
    const { app: shown } = await app.admin('GetApp', { app_uuid: app.appUuid });
    expect(shown).toMatchObject({ id: app.appId, name: 'administered', environment: 'staging' });
    const { app: changed } = await app.admin('UpdateApp', {
      app_uuid: app.appId,
      name: 'renamed',
      session_ttl_in_seconds: 3600,
    });
    expect(changed.name).toBe('renamed');
    const { apps } = await app.admin('ListApps', {});
    expect(apps.map(({ id }: { id: string }) => id)).toContain(app.appId);
  });

  test('lists providers, keys and access tokens without what is secret', async () => {
    const { providers } = await app.admin('ListProviders', { app_uuid: app.appUuid });
    expect(providers.map(({ id }: { id: string }) => id)).toEqual([app.providerId]);
    const listed = [
      await app.admin('ListKeys', { provider_id: app.providerId }),
      await app.admin('ListAccessTokens', { app_uuid: app.appUuid }),
    ];
    expect(listed[0].keys.map(({ id }: { id: string }) => id)).toEqual([app.keyId]);
    expect(JSON.stringify(listed)).not.toContain('PRIVATE KEY');
    expect(JSON.stringify(listed)).not.toContain(app.accessToken);
  });

  test('searches, suspends and resumes users', async () => {
    await app.login('sue', { display_name: 'Sue Storm' });
    const { users } = await app.admin('SearchUsers', { app_uuid: app.appUuid, query: 'sue st' });
    expect(users).toHaveLength(1);
    await app.admin('SuspendUser', { app_uuid: app.appUuid, user_id: 'sue' });
    expect((await app.server('GET', '/users/sue', 200)).body.suspended).toBe(true);
    await app.admin('ResumeUser', { app_uuid: app.appUuid, user_id: 'sue' });
    expect((await app.server('GET', '/users/sue', 200)).body.suspended).toBe(false);
  });

  test('keeps an audit log, and counts', async () => {
    const { entries } = await app.admin('ListAuditEntries', { app_uuid: app.appUuid });
    expect(entries.length).toBeGreaterThan(3);
    expect(JSON.stringify(entries)).not.toContain(app.accessToken);
    const statistics = await app.admin('GetStatistics', { app_uuid: app.appUuid });
    expect(statistics.users).toBeGreaterThan(0);
  });

  test('deletes an application: no login or token works any more', async () => {
    const gone = await createApp(app.platform, 'gone');
    const ada = await gone.login('ada');
    const identity_token = await gone.identityToken('ada');
    await gone.admin('DeleteApp', { app_uuid: gone.appUuid });
    const body = { identity_token, app_id: gone.appId };
    expect((await call('POST', `${app.baseUrl}/sessions`, 403, { body })).body.id).toBe('invalid_app_id');
    await until('the session ends', () => ada.call('GET', '/conversations', 401).catch(() => undefined));
    await until('the token ends', () => gone.server('GET', '/conversations', 401).catch(() => undefined));
  });
});

describe('ValidateIdentityToken', () => {
  const validate = (identity_token: string) =>
    app.admin('ValidateIdentityToken', { app_uuid: app.appUuid, identity_token });

  test('finds every rule kept', async () => {
    const { valid, rules } = await validate(await app.identityToken('ada'));
    expect(valid).toBe(true);
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.every(({ passed }: { passed: boolean }) => passed)).toBe(true);
  });

  test('does not look at the expiry of token or nonce', async () => {
    const past = Math.floor(Date.now() / 1000) - 3600;
    const token = await app.identityToken('ada', { nonce: 'old', claims: { iat: past - 60, exp: past } });
    expect((await validate(token)).valid).toBe(true);
  });

  test('names the rule that is broken', async () => {
    const { valid, rules } = await validate(await app.identityToken('ada', { header: { typ: 'JWS' } }));
    expect(valid ?? false).toBe(false);
    const broken = rules.filter(({ passed }: { passed?: boolean }) => !passed);
    expect(broken.map(({ reason }: { reason: string }) => reason)).toContain('eit_header_param_wrong_value');
  });

  test('uses no nonce up', async () => {
    const identity_token = await app.identityToken('ada');
    await validate(identity_token);
    await call('POST', `${app.baseUrl}/sessions`, 201, { body: { identity_token, app_id: app.appId } });
  });
});

describe('an access token', () => {
  test('is refused within a second of its deletion', async () => {
    const made = await app.admin('CreateAccessToken', { app_uuid: app.appUuid, name: 'short' });
    const authorization = `Bearer ${made.token}`;
    const list = (expected: number) =>
      app.server('GET', '/conversations', expected, { headers: { authorization } });
    await list(200);
    await app.admin('DeleteAccessToken', { access_token_id: (made.access_token ?? made.accessToken).id });
    const { body, headers } = await untilRefused(list, 401, { withinMs: 1000 });
    expect(body).toMatchObject({ id: 'authentication_required', code: 4, data: { schemes: ['Bearer'] } });
    expect(headers['www-authenticate']).toBe('Bearer realm="svc"');
  });

  test('is valid for one app only', async () => {
    const other = await createApp(app.platform, 'other');
    const headers = { authorization: `Bearer ${other.accessToken}` };
    expect((await app.server('GET', '/conversations', 404, { headers })).body.id).toBe('not_found');
  });

  test.each(['', 'Bearer', 'Bearer nonsense', 'Basic YTpi', 'nonsense'])(
    '%j is none',
    async (authorization) => {
      expect((await app.server('GET', '/conversations', 401, { headers: { authorization } })).body.code).toBe(
        4,
      );
    },
  );

  test('may expire', async () => {
    const made = await app.admin('CreateAccessToken', {
      app_uuid: app.appUuid,
      name: 'brief',
      expires_at: Date.now() + 1500,
    });
    const headers = { authorization: `Bearer ${made.token}` };
    await app.server('GET', '/conversations', 200, { headers });
    await until('it expires', () =>
      app.server('GET', '/conversations', 401, { headers }).catch(() => undefined),
    );
  });
});

test('a key may be registered by its public half', async () => {
  const { key } = await app
    .admin('ListKeys', { provider_id: app.providerId })
    .then(({ keys }) => ({ key: keys[0] }));
  const public_key = key.public_key ?? key.publicKey;
  const { provider } = await adminCall(app.platform, 'CreateProvider', {
    app_uuid: app.appUuid,
    name: 'second',
  });
  const made = await app.admin('CreateKey', { provider_id: provider.id, public_key });
  expect(made.private_key ?? made.privateKey ?? null).toBeNull();
  const identity_token = await app.identityToken('pat', {
    claims: { iss: provider.id },
    header: { kid: made.key.id },
  });
  await call('POST', `${app.baseUrl}/sessions`, 201, { body: { identity_token, app_id: app.appId } });
});
