import type { Config } from './config.ts';
import type { SignIdentityToken } from './identity-token.ts';
import { callAsClient } from './platform.ts';

export type Session = { session_token: string; user_id: string };

// Takes the three steps of an application's client: nonce, identity token, session.
export async function openSession(config: Config, sign: SignIdentityToken, user: string): Promise<Session> {
  const { nonce } = await callAsClient<{ nonce: string }>(config, '/nonces');
  const identityToken = await sign({ user, nonce });
  const body = { identity_token: identityToken, app_id: config.appId };
  const { session_token: sessionToken } = await callAsClient<{ session_token: string }>(
    config,
    '/sessions',
    body,
  );
  return { session_token: sessionToken, user_id: user };
}
