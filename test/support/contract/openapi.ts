import { request } from 'undici';
import { isObject, type JsonObject, type JsonValue } from './schema.ts';
import { createValidator, type Validate } from './validator.ts';

export type CheckedAnswer = {
  method: string;
  url: string;
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  text: string;
  body: unknown;
};

type Operation = { method: string; segments: readonly string[]; responses: JsonObject };
type OpenApi = {
  operations: readonly Operation[];
  document: JsonObject;
  validator: (schema: JsonValue) => Validate;
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
  if (!api) return;
  const operation = findOperation(api, answer.method, pathname);
  const problem = operation ? problemOf(api, operation, answer) : problemOfUndescribed(answer);
  if (problem)
    throw new Error(
      `${answer.method} ${pathname} ${answer.status} is not as described: ${problem}; ${answer.text.slice(0, 1000)}`,
    );
}

function load(origin: string): Promise<OpenApi | undefined> {
  const api = read(origin);
  loaded.set(origin, api);
  // A gateway that is down now may be there for the next request.
  api.catch(() => loaded.delete(origin));
  return api.catch(() => undefined);
}

async function read(origin: string): Promise<OpenApi | undefined> {
  const response = await request(`${origin}/openapi.json`);
  if (response.statusCode !== 200) return void (await response.body.dump());
  const document = (await response.body.json()) as JsonObject;
  const { components } = document;
  const schemas = isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};
  return { document, operations: operationsIn(document), validator: createValidator(schemas) };
}

function operationsIn({ paths }: JsonObject): Operation[] {
  if (!isObject(paths)) return [];
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) => {
      const responses = isObject(operation) ? operation['responses'] : undefined;
      if (!isObject(responses)) return [];
      return [{ method: method.toUpperCase(), segments: path.split('/'), responses }];
    }),
  );
}

/** The operation with the fewest parameters in its path, as the gateway chooses it. */
function findOperation({ operations }: OpenApi, method: string, path: string): Operation | undefined {
  const segments = path.split('/');
  const wanted = method === 'HEAD' ? 'GET' : method;
  const fitting = operations.filter((operation) => operation.method === wanted && fits(operation, segments));
  return fitting.sort((a, b) => parametersIn(a) - parametersIn(b))[0];
}

function fits({ segments }: Operation, given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((segment, index) => segment.startsWith('{') || segment === given[index])
  );
}

function parametersIn({ segments }: Operation): number {
  return segments.filter((segment) => segment.startsWith('{')).length;
}

function problemOf(api: OpenApi, { responses }: Operation, answer: CheckedAnswer): string | undefined {
  const response = resolve(api, responses[String(answer.status)]);
  if (!response) return 'the operation does not answer with this status';
  const problem = headerProblem(api, response, answer);
  return answer.method === 'HEAD' ? problem : (problem ?? bodyProblem(api, response, answer));
}

function headerProblem(api: OpenApi, { headers }: JsonObject, answer: CheckedAnswer): string | undefined {
  for (const [name, given] of Object.entries(isObject(headers) ? headers : {})) {
    const header = resolve(api, given);
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined) {
      if (header?.['required'] === true) return `the header ${name} is missing`;
      continue;
    }
    const { schema } = header ?? {};
    if (!isObject(schema)) continue;
    const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
    const problem = api.validator(schema)(isNumber ? Number(value) : value);
    if (problem) return `the header ${name}: ${problem}`;
  }
  return undefined;
}

function bodyProblem(api: OpenApi, response: JsonObject, answer: CheckedAnswer): string | undefined {
  const { content } = response;
  if (answer.text === '' && response['x-may-be-empty'] === true) return undefined;
  if (!isObject(content)) return answer.text === '' ? undefined : 'it has a body';
  const type = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  const described = content[type];
  if (!isObject(described)) return `its content type ${type} is not described`;
  const { schema } = described;
  if (schema === undefined || !type.includes('json')) return undefined;
  return api.validator(schema)(answer.body);
}

function problemOfUndescribed({ status }: CheckedAnswer): string | undefined {
  return UNDESCRIBED_STATUSES.has(status) ? undefined : 'no operation has this path and method';
}

/** What a reference among the components stands for. */
function resolve({ document }: OpenApi, value: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const { $ref } = value;
  if (typeof $ref !== 'string') return value;
  let found: JsonValue | undefined = document;
  for (const key of $ref.slice(2).split('/')) found = isObject(found) ? found[key] : undefined;
  return isObject(found) ? found : undefined;
}
