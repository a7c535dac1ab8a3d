import { createTestApp, signToken, type TestApp } from '../support/app.ts';
import { startIdentity, type Platform } from '../support/platform.ts';

// docs/protocol/administration.md#methods

let platform: Platform;
let app: TestApp;

beforeAll(async () => {
  platform = await startIdentity();
  app = await createTestApp(platform);
});

afterAll(() => platform.stop());

async function validate(identityToken: string) {
  const { valid, rules } = await platform.admin.validateIdentityToken({ appUuid: app.uuid, identityToken });
  const broken = rules.filter(({ passed }) => !passed).map(({ name, reason }) => [name, reason]);
  return { valid, broken, rules };
}

test('a valid token passes every rule, also when it and its nonce are old', async () => {
  const token = await signToken(platform, app, 'ada', { claims: { iat: 1, exp: 2, nce: 'old' } });
  const { valid, broken, rules } = await validate(token);
  expect({ valid, broken }).toEqual({ valid: true, broken: [] });
  expect(rules.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'header.typ',
      'header.kid',
      'claims.iss',
      'signature',
      'claims.prn',
      'claims.avatar_url',
    ]),
  );
});

test('every broken rule is answered, not only the first', async () => {
  const changes = {
    header: { typ: 'X', alg: undefined },
    claims: { prn: 1, display_name: undefined, exp: undefined },
  };
  const { valid, broken } = await validate(await signToken(platform, app, 'ada', changes));
  expect(valid).toBe(false);
  expect(broken).toEqual([
    ['header.typ', 'eit_header_param_wrong_value'],
    ['header.alg', 'eit_header_param_not_found'],
    ['signature', 'eit_signature_verification_failed'],
    ['claims.prn', 'eit_claim_wrong_type'],
    ['claims.exp', 'eit_claim_not_found'],
  ]);
});

test('a token that cannot be read passes no rule, and the reason is answered', async () => {
  const { valid, broken, rules } = await validate('not.a.token!');
  expect(valid).toBe(false);
  expect(broken).toHaveLength(rules.length);
  expect(new Set(broken.map(([, reason]) => reason))).toEqual(new Set(['eit_malformed_base64url']));
  expect(rules.every(({ message }) => message.length > 0)).toBe(true);
});

test('a validation uses up no nonce', async () => {
  const token = await signToken(platform, app, 'validated');
  await validate(token);
  await platform.identity.createSession({ appId: app.id, identityToken: token });
});
