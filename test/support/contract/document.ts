import { isObject, type JsonObject, type JsonValue } from './schema.ts';
import { createValidator } from './validator.ts';

/** An operation of an OpenAPI document. */
export type DescribedOperation = { method: string; path: string };

export type Received = {
  status: number;
  /** Headers by lower-case name; undefined where a test does not see them, and they are not compared. */
  headers?: Readonly<Record<string, string | undefined>>;
  /** The parsed body; undefined or an empty text: none. */
  body: unknown;
};

export type OpenApi = {
  /** The operation that serves a path; undefined: none is described. */
  find(method: string, path: string): DescribedOperation | undefined;
  /** Says how a response differs from its description; undefined: it does not. */
  problemOf(operation: DescribedOperation, received: Received): string | undefined;
};

type Validator = ReturnType<typeof createValidator>;

/** An OpenAPI document as something to compare responses with. Keys that it does not describe are differences. */
export function readOpenApi(document: JsonObject): OpenApi {
  const { components, paths } = document;
  const schemas = isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};
  const validator = createValidator(schemas);
  const operations = operationsIn(isObject(paths) ? paths : {});
  return {
    find: (method, path) => findOperation(operations, method, path),
    problemOf({ method, path }, received) {
      const item = isObject(paths) ? paths[path] : undefined;
      const operation = isObject(item) ? item[method.toLowerCase()] : undefined;
      const responses = isObject(operation) ? operation['responses'] : undefined;
      const described = isObject(responses) ? responses[String(received.status)] : undefined;
      const response = resolve(document, described);
      if (!response) return `the operation does not answer with ${received.status}`;
      return (
        headerProblem({ document, validator, response }, received) ??
        (method === 'HEAD' ? undefined : bodyProblem(validator, response, received))
      );
    },
  };
}

function operationsIn(paths: JsonObject): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(isObject(item) ? item : {}).map((method) => ({ method: method.toUpperCase(), path })),
  );
}

/** The operation with the fewest parameters in its path, as the gateway chooses it. */
function findOperation(
  operations: readonly DescribedOperation[],
  method: string,
  path: string,
): DescribedOperation | undefined {
  const segments = path.split('/');
  const fitting = operations.filter((operation) => operation.method === method && fits(operation, segments));
  return fitting.sort((a, b) => parametersIn(a) - parametersIn(b))[0];
}

function fits({ path }: DescribedOperation, given: readonly string[]): boolean {
  const segments = path.split('/');
  return (
    segments.length === given.length &&
    segments.every((segment, index) => segment.startsWith('{') || segment === given[index])
  );
}

function parametersIn({ path }: DescribedOperation): number {
  return path.split('{').length;
}

type Described = { document: JsonObject; validator: Validator; response: JsonObject };

function headerProblem(
  { document, validator, response }: Described,
  { headers }: Received,
): string | undefined {
  const { headers: described } = response;
  if (!headers || !isObject(described)) return undefined;
  for (const [name, given] of Object.entries(described)) {
    const header = resolve(document, given);
    const value = headers[name.toLowerCase()];
    if (value === undefined && header?.['required'] === true) return `the header ${name} is missing`;
    const { schema } = header ?? {};
    if (value === undefined || !isObject(schema)) continue;
    const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
    const problem = validator(schema)(isNumber ? Number(value) : value);
    if (problem) return `the header ${name}: ${problem}`;
  }
  return undefined;
}

function bodyProblem(
  validator: Validator,
  response: JsonObject,
  { headers, body }: Received,
): string | undefined {
  const { content } = response;
  if (body === undefined || body === '') {
    return content === undefined || response['x-may-be-empty'] === true ? undefined : 'it has no body';
  }
  if (!isObject(content)) return 'it has a body';
  const type = headers ? ((headers['content-type'] ?? '').split(';')[0] ?? '') : JSON_TYPE;
  const described = content[type];
  if (!isObject(described)) return headers ? `its content type ${type} is not described` : undefined;
  const { schema } = described;
  return schema === undefined || !type.includes('json') ? undefined : validator(schema)(body);
}

const JSON_TYPE = 'application/json';

/** Resolves a reference among the components. */
function resolve(document: JsonObject, value: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const { $ref } = value;
  if (typeof $ref !== 'string') return value;
  let found: JsonValue | undefined = document;
  for (const key of $ref.slice(2).split('/')) found = isObject(found) ? found[key] : undefined;
  return isObject(found) ? found : undefined;
}
