import { generateKeyPairSync } from 'node:crypto';
import { createTestApp, signParts, signToken, type Changes, type TestApp } from '../support/app.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startIdentity, type Platform } from '../support/platform.ts';

// Each reason for which a token is refused: docs/protocol/authentication.md#rules-of-an-identity-token

let platform: Platform;
let app: TestApp;

beforeAll(async () => {
  platform = await startIdentity();
  app = await createTestApp(platform);
});

afterAll(() => platform.stop());

function present(identityToken: string, appId = app.id) {
  return platform.identity.createSession({ appId, identityToken });
}

async function expectReason(reason: string, changes: Changes): Promise<void> {
  await expectReasonOf(reason, await signToken(platform, app, 'ada', changes));
}

async function expectReasonOf(reason: string, token: string, appId = app.id): Promise<void> {
  await expectProblem(present(token, appId), 'invalid_property', { property: 'identity_token', reason });
}

test('a token that breaks no rule opens a session', async () => {
  const answer = await present(await signToken(platform, app, 'ada'));
  expect(answer).toMatchObject({ appId: app.uuid, userId: 'ada' });
  expect(answer.sessionToken).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

describe('form', () => {
  test.each(['', 'a', 'a.b', 'a.b.c.d'])('%j has the wrong number of parts', async (token) => {
    await expectReasonOf('eit_wrong_jws_part_count', token);
  });

  test.each([
    ['a plus sign', (token: string) => token.replace('.', '+.')],
    ['padding', (token: string) => token.replace('.', '=.')],
    ['a length that no bytes have', (token: string) => `a.${token.split('.').slice(1).join('.')}`],
    ['white space', (token: string) => `${token} `],
  ])('%s is not base64url', async (_, change) => {
    await expectReasonOf('eit_malformed_base64url', change(await signToken(platform, app, 'ada')));
  });

  test.each([
    ['text', ['{"typ":', '{}']],
    ['a list', ['{}', '[]']],
    ['a number', ['1', '{}']],
    ['null', ['{}', 'null']],
    ['nothing', ['{}', '']],
    ['a claim of 20,000 levels', ['{}', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`]],
  ])('%s is not a JSON object', async (_, parts) => {
    await expectReasonOf('eit_malformed_json', signParts(parts, app.privateKey));
  });

  test('bytes that are not UTF-8 are not JSON', async () => {
    const parts = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64url');
    await expectReasonOf('eit_malformed_json', `${parts}.e30.e30`);
  });
});

describe('header', () => {
  test.each(['typ', 'alg', 'cty', 'kid'])('%s is required and must be a text', async (name) => {
    await expectReason('eit_header_param_not_found', { header: { [name]: undefined } });
    await expectReason('eit_header_param_wrong_type', { header: { [name]: 1 } });
    await expectReason('eit_header_param_wrong_type', { header: { [name]: null } });
  });

  test.each([
    ['typ', 'jwt'],
    ['typ', 'JWS'],
    ['alg', 'none'],
    ['alg', 'HS256'],
    ['alg', 'RS512'],
    ['cty', 'svc-eit;v=2'],
    ['crit', ['exp']],
  ])('%s cannot be %j', async (name, value) => {
    await expectReason('eit_header_param_wrong_value', { header: { [name]: value } });
  });
});

describe('key', () => {
  test('a kid without the prefix of keys is not found', async () => {
    const bare = app.keyId.replace('svc:///keys/', '');
    await expectReason('eit_key_not_found', { header: { kid: bare } });
    await expectReason('eit_key_not_found', { header: { kid: `svc:///providers/${bare}` } });
    await expectReason('eit_key_not_found', { header: { kid: `other:///keys/${bare}` } });
  });

  test('a kid with the prefix and no UUID after it is malformed', async () => {
    await expectReason('eit_key_malformed', { header: { kid: 'svc:///keys/' } });
    await expectReason('eit_key_malformed', { header: { kid: 'svc:///keys/mine' } });
    await expectReason('eit_key_malformed', { header: { kid: `${app.keyId}/1` } });
  });

  test('a kid that was never registered is not found', async () => {
    const kid = 'svc:///keys/0197a3e0-0000-7000-8000-000000000000';
    await expectReason('eit_key_not_found', { header: { kid } });
  });

  test('a disabled or deleted key has its own reason, and an enabled key is valid again', async () => {
    const { key, privateKey } = await platform.admin.createKey({ providerId: app.providerId });
    const changes = { header: { kid: key!.id }, privateKey: privateKey! };
    await platform.admin.disableKey({ keyId: key!.id });
    await expectReason('eit_key_disabled', changes);
    await platform.admin.enableKey({ keyId: key!.id });
    await present(await signToken(platform, app, 'ada', changes));
    await platform.admin.deleteKey({ keyId: key!.id });
    await expectReason('eit_key_deleted', changes);
  });

  test('a key of another provider is not found', async () => {
    const { provider } = await platform.admin.createProvider({ appUuid: app.uuid, name: 'Second' });
    const { key, privateKey } = await platform.admin.createKey({ providerId: provider!.id });
    await expectReason('eit_key_not_found', { header: { kid: key!.id }, privateKey: privateKey! });
  });
});

describe('provider', () => {
  test.each([
    'Backend',
    '',
    'svc:///providers/',
    'svc:///providers/mine',
    'svc:///keys/0197a3e0-0000-7000-8000-000000000000',
  ])('%j is no provider id', async (iss) => {
    await expectReason('eit_provider_not_found', { claims: { iss } });
  });

  test('an unknown or deleted provider is not found', async () => {
    await expectReason('eit_provider_not_found', {
      claims: { iss: 'svc:///providers/0197a3e0-0000-7000-8000-000000000000' },
    });
    const other = await createTestApp(platform);
    const token = await signToken(platform, other, 'ada');
    await platform.admin.deleteProvider({ providerId: other.providerId });
    await expectReasonOf('eit_provider_not_found', token, other.id);
  });

  test('a provider of another application is not bound to this one', async () => {
    const other = await createTestApp(platform);
    await expectReasonOf('eit_provider_not_bound_to_app', await signToken(platform, other, 'ada'));
  });
});

describe('signature', () => {
  test('a signature by another key does not match', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    await expectReason('eit_signature_verification_failed', { privateKey });
  });

  test('a signature of other claims, or none, does not match', async () => {
    const [header, , signature] = (await signToken(platform, app, 'ada')).split('.');
    const [, claims] = (await signToken(platform, app, 'eve')).split('.');
    await expectReasonOf('eit_signature_verification_failed', `${header}.${claims}.${signature}`);
    await expectReasonOf('eit_signature_verification_failed', `${header}.${claims}.`);
  });
});

describe('claims', () => {
  test.each(['iss', 'prn', 'iat', 'exp', 'nce'])('%s is required', async (name) => {
    await expectReason('eit_claim_not_found', { claims: { [name]: undefined } });
  });

  test.each([
    ['iss', 1],
    ['prn', 1],
    ['prn', null],
    ['prn', ''],
    ['prn', 'a'.repeat(257)],
    ['prn', 'a\u0000b'],
    ['iat', '1'],
    ['iat', 1.5],
    ['iat', -1],
    ['exp', null],
    ['exp', 1e300],
    ['nce', 1],
    ['first_name', 1],
    ['first_name', 'a'.repeat(129)],
    ['last_name', ['a']],
    ['last_name', 'a'.repeat(129)],
    ['display_name', {}],
    ['display_name', 'a'.repeat(129)],
    ['display_name', '\ud800'],
    ['avatar_url', false],
    ['avatar_url', 'a'.repeat(1025)],
  ])('%s cannot be %j', async (name, value) => {
    await expectReason('eit_claim_wrong_type', { claims: { [name]: value } });
  });

  test('limits of claims count characters', async () => {
    const claims = {
      prn: '\u{1f642}'.repeat(256),
      display_name: '\u{1f642}'.repeat(128),
      avatar_url: 'a'.repeat(1024),
    };
    const { userId } = await present(await signToken(platform, app, '', { claims }));
    expect(userId).toBe(claims.prn);
  });
});

describe('time', () => {
  test('a token is refused from its exp on', async () => {
    const now = Math.floor(platform.clock.now() / 1000);
    await expectReason('eit_expired', { claims: { exp: now } });
    await expectReason('eit_expired', { claims: { exp: 0 } });
    await present(await signToken(platform, app, 'ada', { claims: { exp: now + 1 } }));
  });

  test('a token is refused more than one minute before its iat', async () => {
    const now = Math.ceil(platform.clock.now() / 1000);
    await expectReason('eit_not_before', { claims: { iat: now + 61, exp: now + 120 } });
    await present(await signToken(platform, app, 'ada', { claims: { iat: now + 59, exp: now + 120 } }));
  });
});

describe('nonce', () => {
  test('a nonce that was used already is refused', async () => {
    const token = await signToken(platform, app, 'ada');
    await present(token);
    await expectReasonOf('eit_nonce_not_found', token);
  });

  test('a nonce that was never issued is refused', async () => {
    await expectReason('eit_nonce_not_found', { claims: { nce: 'invented' } });
    const { nonce } = await platform.identity.issueNonce({});
    await expectReason('eit_nonce_not_found', { claims: { nce: `${nonce}A` } });
    await expectReason('eit_nonce_not_found', {
      claims: { nce: nonce.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')) },
    });
  });

  test('a nonce older than ten minutes is refused', async () => {
    const { nonce } = await platform.identity.issueNonce({});
    platform.clock.advance(599_999);
    await expectReason('eit_expired', { claims: { nce: nonce, exp: 1 } });
    const exp = Math.floor(platform.clock.now() / 1000) + 60;
    platform.clock.advance(1);
    await expectReason('eit_nonce_not_found', { claims: { nce: nonce, exp } });
  });

  test('a refused token does not use up its nonce', async () => {
    const { nonce } = await platform.identity.issueNonce({});
    const claims = { nce: nonce };
    await expectReason('eit_expired', { claims: { ...claims, exp: 1 } });
    await expectReason('eit_claim_wrong_type', { claims: { ...claims, prn: '' } });
    await present(await signToken(platform, app, 'ada', { claims }));
  });
});

test('a suspended user is refused, and the nonce stays valid until they are resumed', async () => {
  await present(await signToken(platform, app, 'mallory'));
  await platform.admin.suspendUser({ appUuid: app.uuid, userId: 'mallory' });
  const token = await signToken(platform, app, 'mallory');
  await expectReasonOf('eit_user_suspended', token);
  await platform.admin.resumeUser({ appUuid: app.uuid, userId: 'mallory' });
  await present(token);
});

test('the reason is the first broken rule in the order of the rules', async () => {
  const now = Math.floor(platform.clock.now() / 1000);
  const wrong = { header: { cty: 'x', kid: 'x' }, claims: { iss: 'x', prn: 1, exp: now - 1 } };
  await expectReason('eit_header_param_wrong_value', wrong);
  await expectReason('eit_key_not_found', { ...wrong, header: { kid: 'x' } });
  await expectReason('eit_provider_not_found', { claims: wrong.claims });
  await expectReason('eit_claim_wrong_type', { claims: { prn: 1, exp: now - 1 } });
});

describe('app_id', () => {
  test.each([
    ['nothing', () => ''],
    ['a bare UUID', () => app.uuid],
    ['another environment', () => app.id.replace('staging', 'production')],
    ['an unknown app', () => 'svc:///apps/staging/0197a3e0-0000-7000-8000-000000000000'],
    ['no UUID', () => 'svc:///apps/staging/mine'],
    ['another kind', () => app.providerId],
  ])('%s is not one', async (_, appId) => {
    await expectProblem(present(await signToken(platform, app, 'ada'), appId()), 'invalid_app_id');
  });

  test('logins to a suspended or a deleted application are refused', async () => {
    const other = await createTestApp(platform);
    const token = await signToken(platform, other, 'ada');
    await platform.admin.suspendApp({ appUuid: other.uuid });
    await expectProblem(present(token, other.id), 'app_suspended');
    await platform.admin.resumeApp({ appUuid: other.uuid });
    await present(token, other.id);
    await platform.admin.deleteApp({ appUuid: other.uuid });
    await expectProblem(present(token, other.id), 'invalid_app_id');
  });
});
