import { SignJWT, importPKCS8, type CryptoKey } from 'jose';
import { call, type Answer, type Call } from './http.ts';
import type { Json } from './json.ts';
import { connectSocket, type Subprotocol, type TestSocket } from './socket.ts';

export type Platform = { baseUrl: string; adminToken: string };

type Claims = Record<string, unknown>;

/** A new application for one test, without records of other tests. */
export type TestApp = {
  platform: Platform;
  baseUrl: string;
  appUuid: string;
  appId: string;
  providerId: string;
  keyId: string;
  accessToken: string;
  admin(method: string, body: unknown): Promise<Json>;
  /** Server API: path below `/apps/<app_uuid>`. */
  server(method: string, path: string, expected: number, options?: Call): Promise<Answer>;
  identityToken(
    userId: string,
    options?: { claims?: Claims; header?: Record<string, unknown>; nonce?: string },
  ): Promise<string>;
  login(userId: string, claims?: Claims): Promise<TestUser>;
  /** A user with an existing session. */
  userOf(userId: string, sessionToken: string): TestUser;
  privateKey: CryptoKey;
};

export type TestUser = {
  id: string;
  uri: string;
  token: string;
  app: TestApp;
  call(method: string, path: string, expected: number, options?: Call): Promise<Answer>;
  connect(options?: { baseUrl?: string; subprotocol?: Subprotocol }): Promise<TestSocket>;
};

/** Percent-encoding of a user id: docs/protocol/requests.md#ids */
export function identityUri(userId: string): string {
  return `svc:///identities/${encodeURIComponent(userId).replace(/[!~'()]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

export function uuidOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}

export async function adminCall(platform: Platform, method: string, body: unknown): Promise<Json> {
  return (
    await call('POST', `${platform.baseUrl}/admin/rpc/parley.identity.v1.AdminService/${method}`, 200, {
      headers: { accept: undefined, authorization: `Bearer ${platform.adminToken}` },
      body,
    })
  ).body;
}

/** Credentials of the application's own server. */
export type Credentials = Pick<
  TestApp,
  'appUuid' | 'appId' | 'providerId' | 'keyId' | 'accessToken' | 'privateKey'
>;

export async function createApp(platform: Platform, name = 'test'): Promise<TestApp> {
  const admin = (method: string, body: unknown) => adminCall(platform, method, body);
  const { app } = await admin('CreateApp', { name, environment: 'staging' });
  const appUuid: string = app.app_uuid ?? app.appUuid;
  const { provider } = await admin('CreateProvider', { app_uuid: appUuid, name: 'backend' });
  const created = await admin('CreateKey', { provider_id: provider.id });
  const pem: string = created.private_key ?? created.privateKey;
  const privateKey = await importPKCS8(pem, 'RS256', { extractable: true });
  const { token } = await admin('CreateAccessToken', { app_uuid: appUuid, name: 'server' });
  return openApp(platform, {
    ...{ appUuid, appId: app.id, providerId: provider.id, keyId: created.key.id },
    ...{ accessToken: token, privateKey },
  });
}

/** An existing application. */
export function openApp(platform: Platform, credentials: Credentials): TestApp {
  const { appUuid, appId, providerId, keyId, accessToken, privateKey } = credentials;
  const { baseUrl } = platform;

  const testApp: TestApp = {
    ...credentials,
    platform,
    baseUrl,
    admin: (method, body) => adminCall(platform, method, body),
    server: (method, path, expected, options = {}) =>
      call(method, `${baseUrl}/apps/${appUuid}${path}`, expected, {
        ...options,
        headers: { authorization: `Bearer ${accessToken}`, ...options.headers },
      }),
    identityToken: async (userId, { claims = {}, header = {}, nonce } = {}) => {
      const nce = nonce ?? (await call('POST', `${baseUrl}/nonces`, 201)).body.nonce;
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: providerId, prn: userId, iat: now, exp: now + 120, nce, ...claims };
      return new SignJWT(payload)
        .setProtectedHeader({ typ: 'JWT', alg: 'RS256', cty: 'svc-eit;v=1', kid: keyId, ...header })
        .sign(privateKey);
    },
    userOf: (userId, sessionToken) => userOf(testApp, userId, sessionToken),
    login: async (userId, claims = {}) => {
      const identity_token = await testApp.identityToken(userId, {
        claims: { display_name: userId, ...claims },
      });
      const { body } = await call('POST', `${baseUrl}/sessions`, 201, {
        body: { identity_token, app_id: appId },
      });
      return userOf(testApp, userId, body.session_token);
    },
  };
  return testApp;
}

function userOf(app: TestApp, id: string, token: string): TestUser {
  return {
    id,
    uri: identityUri(id),
    token,
    app,
    call: (method, path, expected, options = {}) =>
      call(method, path.startsWith('http') ? path : `${app.baseUrl}${path}`, expected, {
        ...options,
        headers: { authorization: `Svc session-token="${token}"`, ...options.headers },
      }),
    connect: ({ baseUrl = app.baseUrl, subprotocol } = {}) => connectSocket(baseUrl, token, subprotocol),
  };
}

export function textPart(body: string) {
  return { mime_type: 'text/plain', body };
}
