import type { GatewayContext } from '../../context.ts';
import { takesBody, type Route } from '../request/route.ts';

/** The route table as an OpenAPI 3.1 document. */
export function openApi({ wire, config }: GatewayContext, routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] ??= operation(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Messaging API', version: wire.version },
    servers: [{ url: config.publicUrl }],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: `${wire.authScheme} session-token="…"`,
        },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Error: ERROR_SCHEMA },
    },
  };
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['id', 'code', 'message', 'url', 'data'],
  properties: {
    id: { type: 'string' },
    code: { type: 'integer' },
    message: { type: 'string' },
    url: { type: 'string', format: 'uri' },
    data: { type: ['object', 'null'] },
  },
};

const FAILURE = {
  description: 'An error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

function operation(route: Route): object {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const security = route.auth === 'session' || route.auth === 'bearer' ? [{ [route.auth]: [] }] : [];
  return {
    summary: route.summary,
    security,
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(takesBody(route) && { requestBody: { content: { 'application/json': {} } } }),
    responses: { '2XX': { description: 'Success' }, default: FAILURE },
  };
}
