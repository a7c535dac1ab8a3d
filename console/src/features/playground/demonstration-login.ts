import { signIdentityToken } from '@parley/client/server';
import type { Nonce, Session, SessionInput } from '@parley/contract/gen/records';
import { ADMIN } from '../../api/admin.ts';
import { apiAddress } from '../../api/api-url.ts';
import { wireNameOf, type AppIds } from '../../api/app-ids.ts';
import { jsonOf, request } from '../../api/request.ts';

/** A user who is logged in, in this page alone. */
export type Login = { user: string; token: string; wire: string };

/** Vouches for a user with a key that exists for this login only. */
export async function logInAs(app: AppIds, user: string): Promise<Login> {
  const { provider } = await ADMIN.createProvider({
    appUuid: app.appUuid,
    name: 'Playground of the console',
  });
  const providerId = provider?.id ?? '';
  try {
    const wire = wireNameOf(app);
    return { user, wire, token: await openSession(app, { user, wire, providerId }) };
  } finally {
    await ADMIN.deleteProvider({ providerId });
  }
}

type Vouched = { user: string; wire: string; providerId: string };

async function openSession(app: AppIds, { user, wire, providerId }: Vouched): Promise<string> {
  const { key, privateKey } = await ADMIN.createKey({ providerId });
  const { nonce } = await post<Nonce>('/nonces', wire);
  const identityToken = await signIdentityToken({
    userId: user,
    nonce,
    providerId,
    keyId: key?.id ?? '',
    privateKey: privateKey ?? '',
    wireName: wire,
  });
  const input: SessionInput = { app_id: app.id, identity_token: identityToken };
  return (await post<Session>('/sessions', wire, input)).session_token;
}

/** A request of the client API without a session. */
async function post<Body>(path: string, wire: string, input?: SessionInput): Promise<Body> {
  const response = await request(apiAddress(path), {
    method: 'POST',
    headers: {
      accept: `application/vnd.${wire}+json; version=3.0`,
      'content-type': 'application/json',
    },
    body: input === undefined ? null : JSON.stringify(input),
  });
  return jsonOf<Body>(response);
}
