import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** One operation of a document. */
export type Described = {
  id: string;
  method: string;
  path: string;
  isOfServer: boolean;
  responses: Record<string, unknown>;
};

export type Sent = { status: number; body: unknown };

/** Sends the examples of an operation; the values of the path's parameters by their names. */
export type GeneratedClient = Record<string, (client: unknown, ids: Record<string, string>) => Promise<Sent>>;

type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  schema: { examples?: unknown[]; enum?: unknown[]; default?: unknown };
};
type Operation = {
  operationId: string;
  security?: Record<string, unknown>[];
  parameters?: { $ref?: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, unknown>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
};

const require = createRequire(import.meta.url);
/** Below the package, so that Node and the compiler find its dependencies. */
const FOLDER = path.resolve(import.meta.dirname, '../.parley/generated');

/** The operations for clients and servers that the gateway itself serves. */
export function operationsOf(document: unknown): Described[] {
  return Object.entries((document as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(
        ([, { security }]) => !('servers' in methods) && !security?.some((one) => 'administration' in one),
      )
      .map(([method, { operationId, security = [], responses }]) => ({
        ...{ id: operationId, method: method.toUpperCase(), path, responses },
        isOfServer: security.some((scheme) => 'bearer' in scheme),
      })),
  );
}

/**
 * Writes the types of a document and a client with a function for each operation, which sends the operation's example by
 * openapi-fetch and returns what the types say. Compiles both under `strict`, and loads the client. Fails with the compiler's
 * messages.
 */
export async function generateClient(document: unknown): Promise<GeneratedClient> {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(path.join(FOLDER, 'client-'));
  writeFileSync(path.join(folder, 'api.ts'), astToString(await openapiTS(document as OpenAPI3)));
  writeFileSync(path.join(folder, 'client.ts'), programOf(document as Document));
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(COMPILER));
  const compiler = require.resolve('typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout.slice(0, 4000));
  return (await import(pathToFileURL(path.join(folder, 'client.js')).href)) as GeneratedClient;
}

const COMPILER = {
  compilerOptions: {
    ...{ target: 'es2024', module: 'nodenext', strict: true, skipLibCheck: true, types: ['node'] },
    ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  },
  include: ['*.ts'],
};

const HEAD = `import type { Client } from 'openapi-fetch';
import type { operations, paths } from './api.js';

/** The bodies of the answers whose status is below 300. */
type Answer<Id extends keyof operations> = Bodies<operations[Id]['responses']>;
type Bodies<Responses> = {
  [Status in keyof Responses & (200 | 201 | 202 | 204)]: Responses[Status] extends { content: infer Content }
    ? Content extends Record<string, unknown> ? Content[keyof Content] : undefined
    : undefined;
}[keyof Responses & (200 | 201 | 202 | 204)];
type Ids = Record<string, string>;
`;

function programOf(document: Document): string {
  const functions = operationsOf(document).map((described) => {
    const operation = document.paths[described.path]?.[described.method.toLowerCase()];
    return operation ? functionOf(document, described, operation) : '';
  });
  return `${HEAD}\n${functions.join('\n')}`;
}

function functionOf(document: Document, { id, method, path }: Described, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(
    (parameter) =>
      document.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? (parameter as Parameter),
  );
  const fields = ['path', 'query', 'header'].flatMap((place) => {
    const values = parameters.filter((parameter) => parameter.in === place && parameter.required);
    return values.length > 0 ? [`${place}: { ${values.map(argumentOf).join(', ')} }`] : [];
  });
  const body = Object.values(operation.requestBody?.content ?? {})[0];
  const isText = Object.keys(answerContentOf(operation)).some((type) => type.startsWith('text/'));
  const options = [
    ...(isText ? [`parseAs: 'text'`] : []),
    ...(fields.length > 0 ? [`params: { ${fields.join(', ')} }`] : []),
    ...(body ? [`body: ${JSON.stringify(body.example)}`] : []),
  ];
  return `export async function ${id}(client: Client<paths>, ids: Ids) {
  const { data, error, response } = await client.${method}(${JSON.stringify(path)}, { ${options.join(', ')} });
  const answer: Answer<'${id}'> | undefined = data;
  return { status: response.status, body: answer ?? error };
}`;
}

function answerContentOf({ responses }: Operation): object {
  const [answer] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return (answer?.[1] as { content?: object } | undefined)?.content ?? {};
}

/** The ids of a path are those of the test; what else an operation has to have are its examples. */
function argumentOf({ name, in: place, schema }: Parameter): string {
  const key = JSON.stringify(name);
  if (place === 'path') return `${key}: ids[${key}] ?? ''`;
  return `${key}: ${JSON.stringify(schema.examples?.[0] ?? schema.enum?.[0] ?? schema.default ?? '')}`;
}
