import { at } from './resolve.ts';
import { compareSchemas, type Direction } from './schema.ts';

type Content = Record<string, { schema?: object }>;
type Parameter = { name: string; in: string; required?: boolean; schema?: object };
type Header = { required?: boolean; schema?: object };
type Message = { content?: Content; headers?: Record<string, Header>; required?: boolean };
type Operation = {
  operationId?: string;
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: Message;
  responses?: Record<string, Message>;
};
type Paths = Record<string, Record<string, unknown>>;

/** An OpenAPI 3.1 document, as far as compatibility is concerned. */
export type ApiDocument = { info: { version: string }; paths?: Paths; webhooks?: Paths };

type Documents = { before: ApiDocument; after: ApiDocument };
type Pair<T> = readonly [before: T, after: T];

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/**
 * Changes of a newer document that break clients of an older one: one line for each removed operation, status, header, property of
 * an answer or value that a request may have, and for what a request has to have now. Nothing when the first number of the
 * version has risen.
 */
export function breakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  if (majorOf(after) > majorOf(before)) return [];
  const documents = { before, after };
  return [
    ...compareOperations(documents, [before.paths ?? {}, after.paths ?? {}], 'input'),
    ...compareOperations(documents, [before.webhooks ?? {}, after.webhooks ?? {}], 'output'),
  ];
}

function majorOf({ info }: ApiDocument): number {
  return Number.parseInt(info.version, 10);
}

/** `direction`: of request bodies. Clients read those of webhooks. */
function compareOperations(
  documents: Documents,
  [before, after]: Pair<Paths>,
  direction: Direction,
): string[] {
  const news = new Map(Object.entries(after).map(([path, methods]) => [shapeOf(path), methods]));
  return Object.entries(before).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).flatMap((method) => {
      const place = `${method.toUpperCase()} ${path}`;
      const now = news.get(shapeOf(path))?.[method] as Operation | undefined;
      const pair = [methods[method] as Operation, now] as const;
      return now ? compareOperation(documents, place, [pair[0], now], direction) : [`${place} was removed`];
    }),
  );
}

/** The names of parameters in a path do not matter. */
function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

function compareOperation(
  documents: Documents,
  place: string,
  [before, after]: Pair<Operation>,
  direction: Direction,
): string[] {
  const changes = before.operationId === after.operationId ? [] : [`${place} has another operationId`];
  const parameters = [before.parameters ?? [], after.parameters ?? []] as const;
  changes.push(
    ...compareSecurity(place, [before, after]),
    ...compareParameters(documents, place, parameters, direction),
  );
  const [oldBody, newBody] = [before.requestBody, after.requestBody];
  if (newBody?.required && !oldBody?.required) changes.push(`${place} requires a body`);
  if (oldBody)
    changes.push(...compareMessages(documents, `${place} body`, [oldBody, newBody ?? {}], direction));
  for (const [status, response] of Object.entries(before.responses ?? {})) {
    const old = resolve(documents.before, response) ?? {};
    const now = resolve(documents.after, after.responses?.[status]);
    const where = `${place} ${status}`;
    changes.push(
      ...(now ? compareMessages(documents, where, [old, now], 'output') : [`${where} was removed`]),
    );
  }
  return changes;
}

/** A way of authorization that was accepted must stay accepted. An empty list means that none is needed. */
function compareSecurity(place: string, [before, after]: Pair<Operation>): string[] {
  const left = (after.security ?? []).map(keyOf);
  if (left.length === 0) return [];
  if (!before.security?.length) return [`${place} asks for authorization`];
  const gone = before.security.map(keyOf).filter((key) => !left.includes(key));
  return gone.map((key) => `${place} does not take the authorization ${key} any more`);
}

function keyOf(requirement: object): string {
  return Object.keys(requirement).sort().join(' and ') || 'none';
}

function compareParameters(
  documents: Documents,
  place: string,
  [before, after]: Pair<Parameter[]>,
  direction: Direction,
): string[] {
  const olds = parametersOf(documents.before, before);
  const news = parametersOf(documents.after, after);
  const removed = [...olds.keys()].filter((key) => !news.has(key));
  const changes = removed.map((key) => `${place} ${key} was removed`);
  for (const [key, now] of news) {
    const old = olds.get(key);
    if (direction === 'input' && now.required && !old?.required) changes.push(`${place} ${key} is required`);
    if (direction === 'output' && old?.required && !now.required)
      changes.push(`${place} ${key} may be missing`);
    if (!old?.schema || !now.schema) continue;
    const comparison = { ...documents, direction };
    const pair = { before: old.schema, after: now.schema, path: `${place} ${key}` };
    changes.push(...compareSchemas(comparison, pair));
  }
  return changes;
}

/** Parameters by place and name. Those of the path are named by their position, since their names do not matter. */
function parametersOf(document: object, parameters: Parameter[]): Map<string, Parameter> {
  const found = parameters.map((parameter) => resolve(document, parameter) ?? parameter);
  const inPath = found.filter((parameter) => parameter.in === 'path');
  return new Map(
    found.map((parameter) => {
      const position = inPath.indexOf(parameter);
      return [position < 0 ? `${parameter.in} ${parameter.name}` : `path ${position + 1}`, parameter];
    }),
  );
}

function compareMessages(
  documents: Documents,
  place: string,
  [before, after]: Pair<Message>,
  direction: Direction,
): string[] {
  const changes = Object.entries(before.headers ?? {}).flatMap(([name, header]) =>
    compareHeaders(documents, `${place} header ${name}`, [header, after.headers?.[name]]),
  );
  for (const [type, { schema: old }] of Object.entries(before.content ?? {})) {
    const now = after.content?.[type];
    if (!now) changes.push(`${place} ${type} was removed`);
    else if (old && now.schema) {
      const pair = { before: old, after: now.schema, path: `${place} $` };
      changes.push(...compareSchemas({ ...documents, direction }, pair));
    }
  }
  return [...new Set(changes)];
}

/** Headers of answers. */
function compareHeaders(
  documents: Documents,
  place: string,
  [before, after]: Pair<Header | undefined>,
): string[] {
  const old = resolve(documents.before, before);
  const now = resolve(documents.after, after);
  if (!now) return [`${place} was removed`];
  const pair = { before: old?.schema ?? {}, after: now.schema ?? {}, path: place };
  return [
    ...(old?.required && !now.required ? [`${place} may be missing`] : []),
    ...compareSchemas({ ...documents, direction: 'output' }, pair),
  ];
}

/** Resolves a reference in the document; anything else stands for itself. */
function resolve<T extends object>(document: object, value: T | undefined): T | undefined {
  return value && '$ref' in value ? (at(document, String(value.$ref)) as T) : value;
}
