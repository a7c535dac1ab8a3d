import { request as send, type Dispatcher } from 'undici';
import { checkAnswer } from './contract/openapi.ts';
import type { Json } from './json.ts';

export const MEDIA_TYPE = 'application/vnd.svc+json; version=3.0';

export type Answer<T = Json> = {
  status: number;
  headers: Record<string, string | undefined>;
  body: T;
  text: string;
};
export type Call = {
  headers?: Record<string, string | undefined>;
  body?: unknown;
  /** Raw text that is sent instead of `body`. */
  raw?: string | Buffer;
};

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

export class UnexpectedStatus extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends one request. Fails with the response in its message when the status is not the expected one, and when the response
 * is not as the platform's own OpenAPI document describes it.
 */
export async function call(
  method: string,
  url: string,
  expected: number,
  { headers = {}, body, raw }: Call = {},
): Promise<Answer> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries({
    accept: MEDIA_TYPE,
    'content-type': 'application/json',
    ...headers,
  })) {
    if (value !== undefined) all[name] = value;
  }
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await send(url, {
    method: method as Dispatcher.HttpMethod,
    headers: all,
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await response.body.text();
  if (response.statusCode !== expected) {
    throw new UnexpectedStatus(
      response.statusCode,
      `${method} ${url}: expected ${expected}, got ${response.statusCode}: ${text.slice(0, 2000)}`,
    );
  }
  const answer = { status: response.statusCode, headers: flat(response.headers), body: parse(text), text };
  await checkAnswer({ method: overriddenMethod(method, all), url, ...answer });
  return answer;
}

/** The method that a request stands for. */
function overriddenMethod(method: string, headers: Record<string, string>): string {
  const override = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-http-method-override');
  return method === 'POST' && override ? override[1].toUpperCase() : method;
}
