import { ParleyError } from '../errors.ts';
import { pathOf } from './path.ts';
import { noteCursor } from './pages.ts';
import { errorOfResponse } from './error-of-response.ts';
import { delayOf, isWorthRetrying, pause } from './retry.ts';
import { uuid7 } from '../uuid.ts';

/** The last argument of every method. */
export type RequestOptions = {
  /** Cancels the request, and the wait for the next attempt, with the error `request_canceled`. */
  signal?: AbortSignal;
  /**
   * The platform performs requests with the same key once within 24 hours, and gives repeats the first answer. By default each POST gets a
   * random key, so that the library's own retries are safe. Pass one to make retries safe across restarts of the process.
   */
  idempotencyKey?: string;
  /** Number of repeats after transient failures; by default the client's option. */
  retries?: number;
};

/** One request, as the generated methods describe it. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template below the application's address, or below the platform's if it begins with a double slash. */
  path: string;
  /** Values of the parameters of the template. */
  names?: readonly string[];
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  /** The answer's media type, if it is not the usual one. */
  accept?: 'webhooks';
};

/** Sends a request and resolves with the body of its answer. */
export type Send = <T>(operation: Operation, options?: RequestOptions) => Promise<T>;

export type SendSettings = {
  /** Address of the platform. */
  url: string;
  appUuid: string;
  accessToken: string;
  wireName: string;
  retries: number;
  timeoutMs: number;
  fetch: typeof fetch;
};

/** A function that sends requests with an access token, and repeats those that fail for a transient reason. */
export function createSend(settings: SendSettings): Send {
  return async <T>(operation: Operation, options: RequestOptions = {}) => {
    const { retries = settings.retries, signal } = options;
    const request = requestOf(settings, operation, options);
    let isInDoubt = false;
    for (let attempt = 0; ; attempt++) {
      const answer = await attemptOnce(settings, request, signal);
      if (answer instanceof Response) return (await bodyOf(answer)) as T;
      const error = answer;
      // An earlier attempt may have deleted it without its answer arriving.
      if (isInDoubt && operation.method === 'DELETE' && isGone(error)) return undefined as T;
      if (attempt >= retries || !isWorthRetrying(error)) throw error;
      isInDoubt ||= error.id !== 'rate_limit_exceeded';
      await pause(delayOf(attempt, error.retryAfter), signal);
    }
  };
}

/** Whether a request succeeds; false if it fails with `not_found`. */
export async function isFound(request: Promise<void>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof ParleyError && error.id === 'not_found' && error.status === 404) return false;
    throw error;
  }
}

type Prepared = { url: string; init: RequestInit };

async function attemptOnce(
  { fetch, timeoutMs }: SendSettings,
  { url, init }: Prepared,
  signal?: AbortSignal,
): Promise<Response | ParleyError> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (response.status < 400) return await withBody(response);
    return await errorOfResponse(response);
  } catch (cause) {
    return signal?.aborted ? canceled(signal) : noAnswer(cause);
  }
}

/** Resolves with the answer once its body has arrived, so that a broken connection is noticed while the request can still be repeated. */
async function withBody(response: Response): Promise<Response> {
  const { status, headers } = response;
  const body = await response.text();
  return new Response(body === '' ? null : body, { status, headers });
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    const body: unknown = JSON.parse(text);
    noteCursor(body, response.headers.get('link'));
    return body;
  } catch (cause) {
    const message = 'The answer is not JSON.';
    const requestId = response.headers.get('x-request-id') ?? undefined;
    throw new ParleyError({ id: 'invalid_answer', message }, { status: response.status, requestId, cause });
  }
}

function requestOf(settings: SendSettings, operation: Operation, options: RequestOptions): Prepared {
  const { method, path, names = [], query = {}, headers = {}, body, accept } = operation;
  const { url, appUuid, accessToken, wireName } = settings;
  const template = path.startsWith('//') ? path.slice(1) : `/apps/*${path}`;
  const parameters = path.startsWith('//') ? names : [appUuid, ...names];
  const address = new URL(url + pathOf(template, wireName, ...parameters));
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  const all = new Headers({
    accept: `application/vnd.${wireName}${accept ? `.${accept}` : ''}+json; version=3.0`,
    authorization: `Bearer ${accessToken}`,
  });
  if (body !== undefined) all.set('content-type', 'application/json');
  if (method === 'POST') all.set('idempotency-key', options.idempotencyKey ?? uuid7());
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.set(name, value);
  return {
    url: address.href,
    init: { method, headers: all, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
  };
}

function isGone({ id }: ParleyError): boolean {
  return id === 'not_found' || id === 'object_deleted';
}

function canceled(signal: AbortSignal): ParleyError {
  const message = 'The caller canceled the request.';
  return new ParleyError({ id: 'request_canceled', message }, { cause: signal.reason });
}

function noAnswer(cause: unknown): ParleyError {
  return new ParleyError({ id: 'network_error', message: 'There was no answer.' }, { cause });
}
