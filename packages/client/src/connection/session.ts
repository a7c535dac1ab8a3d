import { ParleyError } from '../errors.ts';
import { pathTo } from '../path.ts';
import type { Http, HttpAnswer, HttpRequest } from './http.ts';

/** One user's session, which is renewed after it has ended. */
export type Session = {
  /** The present token; logs in when there is none. */
  token(): Promise<string>;
  /** Sends a request with the session, and repeats it after a new login if the session has ended. */
  send<T>(request: Omit<HttpRequest, 'token'>): Promise<HttpAnswer<T>>;
  /** Called when the platform rejected this token as no longer valid. */
  ended(token: string): void;
  /** Ends the session at the platform, if there is one. */
  logout(): Promise<void>;
};

export type Login = { readonly token: string; readonly userId: string };

type SessionOptions = {
  readonly http: Http;
  readonly userId: string;
  readonly login: () => Promise<Login>;
  /** The token that was stored last. */
  readonly stored: string | undefined;
  readonly store: (token: string | undefined) => Promise<void>;
  readonly otherUser: (found: string) => void;
};

export function createSession(options: SessionOptions): Session {
  const { http, userId, login } = options;
  let current = options.stored;
  let renewing: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const { token, userId: found } = await login();
    if (found !== userId) {
      options.otherUser(found);
      throw new ParleyError({ id: 'other_user', message: `The session is of ${found}.` });
    }
    current = token;
    await options.store(token);
    return token;
  }
  function token(): Promise<string> {
    if (current !== undefined) return Promise.resolve(current);
    renewing ??= renew().finally(() => (renewing = undefined));
    return renewing;
  }
  function ended(which: string): void {
    if (current === which) current = undefined;
  }
  return {
    token,
    ended,
    async send<T>(request: Omit<HttpRequest, 'token'>) {
      const first = await token();
      try {
        return await http.send<T>({ ...request, token: first });
      } catch (error) {
        if (!(error instanceof ParleyError) || error.status !== 401) throw error;
        ended(first);
        return http.send<T>({ ...request, token: await token() });
      }
    },
    async logout() {
      const last = current;
      current = undefined;
      if (last === undefined) return;
      await http.send({
        method: 'DELETE',
        path: pathTo`/sessions/${last}`,
        token: last,
      });
      await options.store(undefined);
    },
  };
}

const TOKEN_WITHIN_MS = 30_000;

/**
 * Logs in: gets a nonce, the application's identity token, and a session. The user is read from the identity token before it is exchanged.
 */
export async function logIn(
  http: Http,
  appId: string,
  identityToken: (nonce: string) => Promise<string>,
): Promise<Login> {
  const { body } = await http.send<{ nonce: string }>({ method: 'POST', path: '/nonces' });
  const signed = await new Promise<string>((resolve, reject) => {
    AbortSignal.timeout(TOKEN_WITHIN_MS).onabort = reject;
    Promise.resolve(body.nonce).then(identityToken).then(resolve, reject);
  }).catch((cause: unknown) => {
    // Unlike the cause, the data reach the other tabs.
    const data = cause instanceof ParleyError ? cause.data : null;
    throw new ParleyError({ id: 'login_failed', message: 'identityToken failed.', data }, { cause });
  });
  const userId = userOfToken(signed);
  const answer = await http.send<{ session_token: string }>({
    method: 'POST',
    path: '/sessions',
    body: { identity_token: signed, app_id: appId },
  });
  return { token: answer.body.session_token, userId };
}

/** The user id in an identity token, which the platform checks. */
export function userOfToken(token: string): string {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const { prn }: { prn?: unknown } = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof prn === 'string') return prn;
  } catch {
    // Below.
  }
  throw new ParleyError({ id: 'login_failed', message: 'identityToken failed.' });
}
