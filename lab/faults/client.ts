import { setTimeout as pause } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';
import { MEDIA_TYPE } from '../../test/support/http.ts';
import type { Json } from '../../test/support/json.ts';

export type Request = {
  method: string;
  /** Below the gateway's address. */
  path: string;
  authorization: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Statuses that answer the request for good, the first try or a repeat. */
  expected: readonly number[];
};
export type Answer = { status: number; body: Json };

/** Repeats a request, at one gateway after another, until it is answered for good. */
export type Client = (request: Request) => Promise<Answer>;

const RETRY_MS = 50;
const ANSWERED_WITHIN_MS = 10_000;
const GIVE_UP_MS = 90_000;
/** Statuses after which a request is retried: unavailable, or too many requests. */
const AGAIN = [429, 503];

/** Throws on an answer that is neither expected nor transient, and when there is no answer for too long. */
export function createClient(addresses: readonly string[]): Client {
  let turn = 0;
  return async (wanted) => {
    const what = `${wanted.method} ${wanted.path}`;
    const end = Date.now() + GIVE_UP_MS;
    let last = 'no answer';
    while (Date.now() < end) {
      const answer = await tryOnce(addresses[turn++ % addresses.length] ?? '', wanted);
      if (answer && wanted.expected.includes(answer.status)) return answer;
      if (answer) last = `${answer.status} ${JSON.stringify(answer.body)}`;
      if (answer && !AGAIN.includes(answer.status)) throw new Error(`${what}: ${last}`);
      await pause(RETRY_MS);
    }
    throw new Error(`${what}: not within ${GIVE_UP_MS} ms: ${last}`);
  };
}

/** Undefined when the connection was lost: what became of the request is not known. */
async function tryOnce(address: string, wanted: Request): Promise<Answer | undefined> {
  const { method, path, authorization, headers, body } = wanted;
  try {
    const answer = await request(address + path, {
      method: method as Dispatcher.HttpMethod,
      headers: { accept: MEDIA_TYPE, 'content-type': 'application/json', authorization, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...{ headersTimeout: ANSWERED_WITHIN_MS, bodyTimeout: ANSWERED_WITHIN_MS },
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: text === '' ? undefined : (JSON.parse(text) as Json) };
  } catch {
    return undefined;
  }
}
