import type { Config } from './config.ts';

/** Sends a request with the application's access token, as a backend does; fails with the platform's error. */
export async function callPlatform<T>(config: Config, path: string, body: object): Promise<T> {
  return post<T>(config, config.appUrl + path, {
    authorization: `Bearer ${config.accessToken}`,
    body,
  });
}

/** Sends a request as a client does that has not logged in; fails with the platform's error. */
export async function callAsClient<T>(config: Config, path: string, body?: object): Promise<T> {
  return post<T>(config, config.baseUrl + path, { body });
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

type Given = { authorization?: string; body: object | undefined };

async function post<T>({ wireName }: Config, url: string, { authorization, body }: Given): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: `application/vnd.${wireName}+json; version=3.0`,
      'content-type': 'application/json',
      ...(authorization && { authorization }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new PlatformError(response.status, `POST ${url} answered ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
