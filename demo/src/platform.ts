import type { Config } from './config.ts';

type Method = 'POST' | 'PUT' | 'PATCH';

/** Sends a request with the application's access token, as a backend does: a POST to a path, or another method. Fails with the platform's error. */
export async function callPlatform<T>(
  config: Config,
  target: string | { readonly method: Method; readonly path: string },
  body?: object,
): Promise<T> {
  const { method, path } = typeof target === 'string' ? { method: 'POST' as const, path: target } : target;
  return send<T>(config, config.appUrl + path, {
    method,
    authorization: `Bearer ${config.accessToken}`,
    body,
  });
}

/** Sends a request as a client does that has not logged in; fails with the platform's error. */
export async function callAsClient<T>(config: Config, path: string, body?: object): Promise<T> {
  return send<T>(config, config.baseUrl + path, { method: 'POST', body });
}

/** An answer of the platform that is an error. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Given = { method: Method; authorization?: string; body: object | undefined };

async function send<T>(
  { wireName }: Config,
  url: string,
  { method, authorization, body }: Given,
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: `application/vnd.${wireName}+json; version=3.0`,
      'content-type': 'application/json',
      ...(authorization && { authorization }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new PlatformError(response.status, `${method} ${url} answered ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
