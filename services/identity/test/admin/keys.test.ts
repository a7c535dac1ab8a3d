import { generateKeyPairSync } from 'node:crypto';
import { createTestApp, signToken, uuidOf, type TestApp } from '../support/app.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startIdentity, type Platform } from '../support/platform.ts';

// docs/protocol/administration.md#methods

let platform: Platform;
let app: TestApp;

beforeAll(async () => {
  platform = await startIdentity();
  app = await createTestApp(platform);
});

afterAll(() => platform.stop());

function publicKeyOf(type: 'rsa' | 'ed25519' | 'rsa-pss', modulusLength = 2048) {
  const options = {
    modulusLength,
    publicKeyEncoding: { type: 'spki' as const, format: 'pem' as const },
    privateKeyEncoding: { type: 'pkcs8' as const, format: 'pem' as const },
  };
  return generateKeyPairSync(type as 'rsa', options);
}

describe('providers and keys', () => {
  test('an app has providers, a provider has keys, named by URI or UUID', async () => {
    const { provider } = await platform.admin.createProvider({ appUuid: app.id, name: 'Second' });
    expect(provider).toMatchObject({
      appUuid: app.uuid,
      name: 'Second',
      id: expect.stringMatching(/^svc:\/\/\/providers\//),
    });
    const { providers } = await platform.admin.listProviders({ appUuid: app.uuid });
    expect(providers.map(({ id }) => id)).toEqual([app.providerId, provider!.id]);
    const { key } = await platform.admin.createKey({ providerId: uuidOf(provider!.id) });
    expect(key).toMatchObject({
      providerId: provider!.id,
      disabled: false,
      id: expect.stringMatching(/^svc:\/\/\/keys\//),
    });
    await platform.admin.disableKey({ keyId: uuidOf(key!.id) });
    const { keys } = await platform.admin.listKeys({ providerId: provider!.id });
    expect(keys).toEqual([{ ...key, disabled: true }]);
    await platform.admin.deleteKey({ keyId: key!.id });
    expect((await platform.admin.listKeys({ providerId: provider!.id })).keys).toEqual([]);
    await expectProblem(platform.admin.enableKey({ keyId: key!.id }), 'not_found');
    await platform.admin.deleteProvider({ providerId: provider!.id });
    await expectProblem(platform.admin.deleteProvider({ providerId: provider!.id }), 'not_found');
    await expectProblem(platform.admin.createKey({ providerId: provider!.id }), 'not_found');
  });

  test('a generated private key is answered once and not stored', async () => {
    const { key, privateKey } = await platform.admin.createKey({ providerId: app.providerId });
    expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    expect(key?.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----/);
    const rows = await platform.db.query<{ text: string }>({
      text: 'select k::text as text from provider_key k union all select a::text from audit_entry a',
    });
    expect(rows.filter(({ text }) => text.includes('PRIVATE'))).toEqual([]);
  });

  test('a registered key verifies tokens, in either form of PEM', async () => {
    const { publicKey, privateKey } = publicKeyOf('rsa');
    const { key, privateKey: none } = await platform.admin.createKey({
      providerId: app.providerId,
      publicKey,
    });
    expect(none).toBeUndefined();
    expect(key?.publicKey).toBe(publicKey);
    const identityToken = await signToken(platform, app, 'ada', { header: { kid: key!.id }, privateKey });
    await platform.identity.createSession({ appId: app.id, identityToken });
    const pkcs1 = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const other = await platform.admin.createKey({ providerId: app.providerId, publicKey: pkcs1.publicKey });
    expect(other.key?.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  });

  test.each([
    ['nothing', () => ''],
    ['no PEM', () => 'ssh-rsa AAAA'],
    ['a broken PEM', () => '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'],
    ['another algorithm', () => publicKeyOf('ed25519').publicKey],
    ['RSA for another algorithm', () => publicKeyOf('rsa-pss').publicKey],
    ['fewer than 2048 bits', () => publicKeyOf('rsa', 1024).publicKey],
    ['a private key', () => publicKeyOf('rsa').privateKey],
  ])('%s is not a public key', async (_, pem) => {
    const call = platform.admin.createKey({ providerId: app.providerId, publicKey: pem() });
    await expectProblem(call, 'invalid_property', { property: 'public_key' });
  });
});

describe('access tokens', () => {
  test('are listed without the token, by name and expiry', async () => {
    const owner = await createTestApp(platform);
    const expiresAt = platform.clock.now() + 60_000;
    const made = await platform.admin.createAccessToken({ appUuid: owner.uuid, name: 'server', expiresAt });
    expect(made.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const { accessTokens } = await platform.admin.listAccessTokens({ appUuid: owner.uuid });
    expect(accessTokens).toMatchObject([{ name: 'server', expiresAt, appUuid: owner.uuid }]);
    await platform.admin.deleteAccessToken({ accessTokenId: uuidOf(accessTokens[0]!.id) });
    expect((await platform.admin.listAccessTokens({ appUuid: owner.uuid })).accessTokens).toEqual([]);
    await expectProblem(
      platform.admin.deleteAccessToken({ accessTokenId: accessTokens[0]!.id }),
      'not_found',
    );
  });

  test('cannot expire in the past, and need a name', async () => {
    const expired = { appUuid: app.uuid, name: 'server', expiresAt: platform.clock.now() };
    await expectProblem(platform.admin.createAccessToken(expired), 'invalid_property', {
      property: 'expires_at',
    });
    await expectProblem(platform.admin.createAccessToken({ appUuid: app.uuid }), 'missing_property', {
      property: 'name',
    });
  });
});
