import { OPERATIONS } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { toJsonSchema, type Components } from './components.ts';
import { bodyMediaTypesOf } from './media-types.ts';
import { withWireName, type WireNames } from './names.ts';
import { responsesOf } from './responses.ts';
import { operationKey, type DescribedRoute } from './route.ts';

export type DocumentSettings = WireNames & {
  /** The gateway's public address without a slash at its end. */
  baseUrl: string;
};

/** The routes as an OpenAPI 3.1 document. A route without a description is left out; a test refuses that. */
export function openApiDocument(routes: readonly DescribedRoute[], settings: DocumentSettings): object {
  const components: Components = new Map();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const operation = OPERATIONS[operationKey(route)];
    if (!operation) continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] ??= describe(route, operation, components);
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: settings.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.baseUrl }],
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: Object.fromEntries([...components].sort()) },
  };
  return withWireName(document, settings);
}

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'A session token: `Svc session-token="…"`.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token of the app.' },
};

function describe(route: DescribedRoute, operation: Operation, components: Components): object {
  const { id, tag, description, body } = operation;
  const secured = route.auth === 'session' || route.auth === 'bearer';
  return {
    operationId: route.describedAs ? `${id}AsUser` : id,
    tags: [tag],
    summary: route.summary,
    description,
    security: secured ? [{ [route.auth]: [] }] : [],
    parameters: [...pathParameters(route), ...otherParameters(operation, components)],
    ...(body && {
      requestBody: {
        required: body.required,
        content: Object.fromEntries(
          bodyMediaTypesOf(route, Array.isArray(body.example)).map((type) => [
            type,
            { schema: toJsonSchema(body.schema, components), example: body.example },
          ]),
        ),
      },
    }),
    responses: responsesOf(route, operation, components),
  };
}

function pathParameters({ path }: DescribedRoute): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function otherParameters({ parameters = [] }: Operation, components: Components): object[] {
  return parameters.map(({ schema, required = false, ...rest }) => {
    const { description, ...plain } = toJsonSchema(schema, components) as { description?: string };
    return { ...rest, required, description, schema: plain };
  });
}
