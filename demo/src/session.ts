import type { Config } from './config.ts';
import type { SignIdentityToken } from './identity-token.ts';

export type Session = { session_token: string; user_id: string };

// Takes the three steps of an application's client: nonce, identity token, session.
export async function openSession(config: Config, sign: SignIdentityToken, user: string): Promise<Session> {
  const { nonce } = await post<{ nonce: string }>(config, '/nonces');
  const identityToken = await sign({ user, nonce });
  const body = { identity_token: identityToken, app_id: config.appId };
  const { session_token: sessionToken } = await post<{ session_token: string }>(config, '/sessions', body);
  return { session_token: sessionToken, user_id: user };
}

async function post<T>(config: Config, path: string, body?: object): Promise<T> {
  const response = await fetch(config.baseUrl + path, {
    method: 'POST',
    headers: {
      accept: `application/vnd.${config.wireName}+json; version=3.0`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
