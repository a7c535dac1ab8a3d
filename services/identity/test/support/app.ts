import { createPrivateKey, sign } from 'node:crypto';
import type { Platform } from './platform.ts';

/** An application with the key of its login backend, which signs identity tokens. */
export type TestApp = {
  id: string;
  uuid: string;
  providerId: string;
  keyId: string;
  privateKey: string;
};

let apps = 0;

export async function createTestApp({ admin }: Platform): Promise<TestApp> {
  const { app } = await admin.createApp({ name: `App ${++apps}`, environment: 'staging' });
  const { provider } = await admin.createProvider({ appUuid: app!.appUuid, name: 'Backend' });
  const { key, privateKey } = await admin.createKey({ providerId: provider!.id });
  return {
    id: app!.id,
    uuid: app!.appUuid,
    providerId: provider!.id,
    keyId: key!.id,
    privateKey: privateKey!,
  };
}

export type Changes = {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  privateKey?: string;
};

/** Claims of a valid token of `user`; a change to undefined leaves the claim out. */
export async function signToken(
  platform: Platform,
  app: TestApp,
  user: string,
  changes: Changes = {},
): Promise<string> {
  const { nonce } = await platform.identity.issueNonce({});
  const iat = Math.floor(platform.clock.now() / 1000);
  const header = { typ: 'JWT', alg: 'RS256', cty: 'svc-eit;v=1', kid: app.keyId, ...changes.header };
  const claims = { iss: app.providerId, prn: user, iat, exp: iat + 60, nce: nonce, ...changes.claims };
  return signParts([JSON.stringify(header), JSON.stringify(claims)], changes.privateKey ?? app.privateKey);
}

/** Signs a JWS of any header and claims. */
export function signParts(parts: string[], privateKey: string): string {
  const signed = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), createPrivateKey(privateKey)).toString('base64url')}`;
}

/** Logs a user in and answers the session token. */
export async function logIn(platform: Platform, app: TestApp, user: string, claims = {}): Promise<string> {
  const identityToken = await signToken(platform, app, user, { claims });
  const { sessionToken } = await platform.identity.createSession({ appId: app.id, identityToken });
  return sessionToken;
}

/** The uuid at the end of an object's address. */
export function uuidOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}
