import { request } from 'undici';
import { readOpenApi, type OpenApi } from './document.ts';
import { isObject, type JsonObject } from './schema.ts';

export type CheckedAnswer = {
  method: string;
  url: string;
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  text: string;
  body: unknown;
};

/** Statuses of requests that no operation takes: an unknown path, another method. */
const UNDESCRIBED_STATUSES = new Set([404, 405]);

const loaded = new Map<string, Promise<OpenApi | undefined>>();

/**
 * Fails unless the answer is as the platform's own OpenAPI document describes it: status, headers and body. An address
 * that is not a gateway's has no document, and is not checked.
 */
export async function checkAnswer(answer: CheckedAnswer): Promise<void> {
  // Preflights are for browsers; no operation describes them.
  if (answer.method === 'OPTIONS') return;
  const { origin, pathname } = new URL(answer.url);
  const api = await (loaded.get(origin) ?? load(origin));
  const problem = api && problemOf(api, pathname, answer);
  if (!problem) return;
  const { method, status, text } = answer;
  throw new Error(`${method} ${pathname} ${status} is not as described: ${problem}; ${text.slice(0, 1000)}`);
}

function problemOf(api: OpenApi, path: string, answer: CheckedAnswer): string | undefined {
  const { method, status, text, body } = answer;
  // A response to HEAD is that to GET without its body, which is not compared.
  if (method === 'HEAD' && !api.find(method, path)) return undefined;
  const operation = api.find(method, path);
  if (operation)
    return api.problemOf(operation, { ...answer, body: text === '' ? undefined : (body ?? text) });
  return UNDESCRIBED_STATUSES.has(status) ? undefined : 'no operation has this path and method';
}

function load(origin: string): Promise<OpenApi | undefined> {
  const api = read(origin).catch(() => {
    // A gateway that is down now may be there for the next request.
    loaded.delete(origin);
    return undefined;
  });
  loaded.set(origin, api);
  return api;
}

async function read(origin: string): Promise<OpenApi | undefined> {
  const response = await request(`${origin}/openapi.json`);
  if (response.statusCode !== 200) return void (await response.body.dump());
  const document = (await response.body.json()) as JsonObject;
  return describesResponses(document) ? readOpenApi(document) : undefined;
}

/** The release before the first description lists its paths alone. */
function describesResponses({ components }: JsonObject): boolean {
  return isObject(components) && isObject(components['responses']);
}
