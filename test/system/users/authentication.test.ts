import { SignJWT, base64url, generateKeyPair } from 'jose';
import { createApp, type TestApp } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createApp(await platform());
});

async function present(identity_token: unknown, expected = 422, app_id: unknown = app.appId): Promise<Json> {
  return (await call('POST', `${app.baseUrl}/sessions`, expected, { body: { identity_token, app_id } })).body;
}

async function expectReason(token: string, reason: string): Promise<void> {
  const body = await present(token);
  expect(body).toMatchObject({ id: 'invalid_property', code: 105 });
  expect(body.data).toEqual({ property: 'identity_token', reason });
}

async function newNonce(): Promise<string> {
  return (await call('POST', `${app.baseUrl}/nonces`, 201)).body.nonce;
}
function seconds(fromNow: number) {
  return Math.floor(Date.now() / 1000) + fromNow;
}
const UNKNOWN_ID = '0190a000-0000-7000-8000-000000000000';

describe('a nonce', () => {
  test('is safe in a URL as it is, and another one each time', async () => {
    const nonces = await Promise.all(Array.from({ length: 10 }, newNonce));
    expect(new Set(nonces).size).toBe(10);
    for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test('serves for one login', async () => {
    const nonce = await newNonce();
    await present(await app.identityToken('ada', { nonce }), 201);
    await expectReason(await app.identityToken('ada', { nonce }), 'eit_nonce_not_found');
    await expectReason(await app.identityToken('bob', { nonce }), 'eit_nonce_not_found');
  });

  test('serves only one of many simultaneous logins', async () => {
    const token = await app.identityToken('ada');
    const send = () =>
      present(token, 201).then(
        () => 1,
        () => 0,
      );
    const logins: number[] = await Promise.all(Array.from({ length: 12 }, send));
    expect(logins.reduce((sum, one) => sum + one, 0)).toBe(1);
  });

  test('is not used up by a token with a wrong signature', async () => {
    const nonce = await newNonce();
    const good = await app.identityToken('ada', { nonce });
    const [head, , signature] = good.split('.');
    const other = base64url.encode(
      JSON.stringify({ iss: app.providerId, prn: 'eve', iat: seconds(0), exp: seconds(60), nce: nonce }),
    );
    await expectReason(`${head}.${other}.${signature}`, 'eit_signature_verification_failed');
    await present(good, 201);
  });

  test.each(['', 'nonsense', 'AAAA', 'x'.repeat(5000), 'a+b/c='])(
    'that the service never issued is not found: %.20j',
    async (nonce) => {
      await expectReason(await app.identityToken('ada', { nonce }), 'eit_nonce_not_found');
    },
  );

  test('that was changed in one character is not found', async () => {
    const nonce = await newNonce();
    const changed = `${nonce.startsWith('A') ? 'B' : 'A'}${nonce.slice(1)}`;
    await expectReason(await app.identityToken('ada', { nonce: changed }), 'eit_nonce_not_found');
  });
});

describe('an identity token is refused', () => {
  const claims: [string, string, Record<string, unknown>][] = [
    ['without prn', 'eit_claim_not_found', { prn: undefined }],
    ['without iss', 'eit_claim_not_found', { iss: undefined }],
    ['without iat', 'eit_claim_not_found', { iat: undefined }],
    ['without exp', 'eit_claim_not_found', { exp: undefined }],
    ['without nce', 'eit_claim_not_found', { nce: undefined }],
    ['with a number as prn', 'eit_claim_wrong_type', { prn: 5 }],
    ['with a text as iat', 'eit_claim_wrong_type', { iat: '5' }],
    ['with a fraction as exp', 'eit_claim_wrong_type', { exp: 4_000_000_000.5 }],
    ['with a number as nce', 'eit_claim_wrong_type', { nce: 7 }],
    ['with a number as display_name', 'eit_claim_wrong_type', { display_name: 7 }],
    ['with a display_name that is too long', 'eit_claim_wrong_type', { display_name: 'x'.repeat(129) }],
    ['with an avatar_url that is too long', 'eit_claim_wrong_type', { avatar_url: 'x'.repeat(1025) }],
    ['with an empty prn', 'eit_claim_wrong_type', { prn: '' }],
    ['with a prn of 257 characters', 'eit_claim_wrong_type', { prn: 'x'.repeat(257) }],
    ['with a control character in prn', 'eit_claim_wrong_type', { prn: 'a\u0000b' }],
    ['after its exp', 'eit_expired', { exp: seconds(-1) }],
    ['more than a minute before its iat', 'eit_not_before', { iat: seconds(120), exp: seconds(300) }],
    ['when iss is no provider id', 'eit_provider_not_found', { iss: 'backend' }],
    ['with an unknown provider id', 'eit_provider_not_found', { iss: `svc:///providers/${UNKNOWN_ID}` }],
  ];
  test.each(claims)('%s: %s', async (_name, reason, changes) => {
    await expectReason(await app.identityToken('ada', { claims: changes }), reason);
  });

  const headers: [string, string, Record<string, unknown>][] = [
    ['without typ', 'eit_header_param_not_found', { typ: undefined }],
    ['without cty', 'eit_header_param_not_found', { cty: undefined }],
    ['without kid', 'eit_header_param_not_found', { kid: undefined }],
    ['with a number as kid', 'eit_header_param_wrong_type', { kid: 5 }],
    ['with another typ', 'eit_header_param_wrong_value', { typ: 'JWS' }],
    ['with another cty', 'eit_header_param_wrong_value', { cty: 'svc-eit;v=2' }],
    ['with a kid without the prefix', 'eit_key_not_found', { kid: UNKNOWN_ID }],
    ['with an unknown key', 'eit_key_not_found', { kid: `svc:///keys/${UNKNOWN_ID}` }],
    ['with a kid that holds no UUID', 'eit_key_malformed', { kid: 'svc:///keys/mine' }],
  ];
  test.each(headers)('%s: %s', async (_name, reason, header) => {
    await expectReason(await app.identityToken('ada', { header }), reason);
  });

  const forms: [string, string, (token: string) => string][] = [
    ['with two parts', 'eit_wrong_jws_part_count', (token) => token.split('.').slice(0, 2).join('.')],
    ['with four parts', 'eit_wrong_jws_part_count', (token) => `${token}.a`],
    ['when it is not base64url', 'eit_malformed_base64url', (token) => `+${token}`],
    ['when it is not JSON', 'eit_malformed_json', (token) => token.replace(/^[^.]+/, base64url.encode('{'))],
  ];
  test.each(forms)('%s: %s', async (_name, reason, change) => {
    await expectReason(change(await app.identityToken('ada')), reason);
  });

  test('signed by another key: eit_signature_verification_failed', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const token = await new SignJWT({
      iss: app.providerId,
      prn: 'ada',
      iat: seconds(0),
      exp: seconds(60),
      nce: await newNonce(),
    })
      .setProtectedHeader({ typ: 'JWT', alg: 'RS256', cty: 'svc-eit;v=1', kid: app.keyId })
      .sign(privateKey);
    await expectReason(token, 'eit_signature_verification_failed');
  });

  test.each(['none', 'HS256', 'PS256', 'ES256'])('whose header claims alg %s', async (alg) => {
    const head = base64url.encode(JSON.stringify({ typ: 'JWT', alg, cty: 'svc-eit;v=1', kid: app.keyId }));
    await expectReason(
      (await app.identityToken('ada')).replace(/^[^.]+/, head),
      'eit_header_param_wrong_value',
    );
  });

  test('of a key that was disabled or deleted, and taken when it is enabled again', async () => {
    const other = await createApp(app.platform, 'keys');
    const login = async (expected: number) =>
      present(await other.identityToken('ada'), expected, other.appId);
    await other.admin('DisableKey', { key_id: other.keyId });
    expect((await login(422)).data.reason).toBe('eit_key_disabled');
    await other.admin('EnableKey', { key_id: other.keyId });
    await login(201);
    await other.admin('DeleteKey', { key_id: other.keyId });
    expect((await login(422)).data.reason).toBe('eit_key_deleted');
  });

  test('of a provider that is bound to another app', async () => {
    const other = await createApp(app.platform, 'another');
    const body = await present(await app.identityToken('ada'), 422, other.appId);
    expect(body.data).toEqual({ property: 'identity_token', reason: 'eit_provider_not_bound_to_app' });
  });

  test.each([
    [undefined, 'missing_property'],
    [null, 'missing_property'],
    [5, 'invalid_property'],
    [[], 'invalid_property'],
  ])('when it is %j', async (token, id) => {
    expect(await present(token)).toMatchObject({ id, data: { property: 'identity_token' } });
  });
});

describe('an identity token is taken', () => {
  test('when its iat is less than a minute ahead', async () => {
    await present(await app.identityToken('ada', { claims: { iat: seconds(30), exp: seconds(120) } }), 201);
  });

  test('and makes the identity; claims that are absent change nothing later', async () => {
    const token = await app.identityToken('mia', {
      claims: {
        display_name: 'Mia',
        first_name: 'Mia',
        last_name: 'M',
        avatar_url: 'https://a.example/m.png',
      },
    });
    await present(token, 201);
    await present(await app.identityToken('mia', { claims: { display_name: 'Mia II' } }), 201);
    const { body } = await app.server('GET', '/users/mia/identity', 200);
    expect(body).toMatchObject({
      display_name: 'Mia II',
      first_name: 'Mia',
      last_name: 'M',
      avatar_url: 'https://a.example/m.png',
      type: 'User',
    });
  });
});

describe('the app', () => {
  test.each(['nonsense', `svc:///apps/staging/${UNKNOWN_ID}`, 'svc:///apps/staging/x', ''])(
    '%j is invalid_app_id',
    async (appId) => {
      expect(await present(await app.identityToken('ada'), 403, appId)).toMatchObject({
        id: 'invalid_app_id',
        code: 2,
      });
    },
  );

  test('in another environment is invalid_app_id', async () => {
    const appId = app.appId.replace('staging', 'production');
    expect(await present(await app.identityToken('ada'), 403, appId)).toMatchObject({ id: 'invalid_app_id' });
  });

  test('when suspended refuses logins, sessions and servers, until it is resumed', async () => {
    const other = await createApp(app.platform, 'suspended');
    const ada = await other.login('ada');
    await other.admin('SuspendApp', { app_uuid: other.appUuid });
    const suspended = { id: 'app_suspended', code: 5 };
    expect(await present(await other.identityToken('ada'), 403, other.appId)).toMatchObject(suspended);
    const refused = async () => (await ada.call('GET', '/conversations', 403).catch(() => undefined))?.body;
    expect(await until('the session is refused', refused, 2000)).toMatchObject(suspended);
    expect((await other.server('GET', '/conversations', 403)).body).toMatchObject(suspended);
    await other.admin('ResumeApp', { app_uuid: other.appUuid });
    await until(
      'the session is good again',
      () => ada.call('GET', '/conversations', 200).catch(() => undefined),
      2000,
    );
  });
});

describe('a session', () => {
  test('its token has 256 random bits, and the answer links to what comes next', async () => {
    const identity_token = await app.identityToken('ada');
    const { body, headers } = await call('POST', `${app.baseUrl}/sessions`, 201, {
      body: { identity_token, app_id: app.appId },
    });
    expect(Object.keys(body)).toEqual(['session_token']);
    expect(base64url.decode(body.session_token)).toHaveLength(32);
    for (const rel of ['conversations', 'content', 'websocket']) {
      expect(headers['link']).toMatch(new RegExp(`<[^>]+>; rel=${rel}(,|$)`));
    }
  });

  test('ends for one token, not for the others of the user; another user’s is not found', async () => {
    const [one, two, eve] = await Promise.all([app.login('two'), app.login('two'), app.login('eve')]);
    expect((await eve.call('DELETE', `/sessions/${one.token}`, 404)).body.id).toBe('not_found');
    await two.call('DELETE', `/sessions/${one.token}`, 204);
    const { body } = await one.call('GET', '/conversations', 401);
    expect(body).toMatchObject({
      id: 'authentication_required',
      code: 4,
      data: { nonce: expect.any(String) },
    });
    await two.call('GET', '/conversations', 200);
    await call('DELETE', `${app.baseUrl}/sessions/${two.token}`, 401);
  });

  test('lives as long as the app says, from the next login on', async () => {
    const set = (value: unknown, expected: number) =>
      app.server('PATCH', '', expected, {
        body: [{ operation: 'set', property: 'session_ttl_in_seconds', value }],
      });
    for (const value of [29, 31_536_001, 'long', -1]) {
      expect((await set(value, 422)).body).toMatchObject({ data: { property: 'session_ttl_in_seconds' } });
    }
    const before = Date.now();
    await set(30, 202);
    await app.login('tim');
    const { sessions } = await app.admin('ListUserSessions', { app_uuid: app.appUuid, user_id: 'tim' });
    const [session] = sessions;
    const expiresAt = session.expires_at ?? session.expiresAt;
    expect(expiresAt).toBeGreaterThan(before + 29_000);
    expect(expiresAt).toBeLessThan(Date.now() + 31_000);
    await set(2_592_000, 202);
  });
});
