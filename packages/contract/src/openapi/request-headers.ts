import Type, { type TSchema } from 'typebox';
import { EXAMPLE } from '../schema/ids.ts';
import { toJsonSchema } from './components.ts';
import { shared, type Registry } from './registry.ts';
import type { OperationId } from '../api/index.ts';
import type { ApiRoute } from '../api/routes.ts';
import { isRepeatable } from './route.ts';

const IDEMPOTENCY_KEY = Type.String({
  pattern: '^[\\x20-\\x7e]{1,255}$',
  description: 'Requests with the same key and the same content are done once, and answered alike for a day.',
  examples: ['order-4711'],
});

const IF_NONE_MATCH = Type.String({
  description: 'The id of the new object, as a URI or a bare UUID, for bodies without an `id`.',
  examples: [`"${EXAMPLE.message}"`],
});

const METHOD_OVERRIDE = Type.Enum(['PUT', 'PATCH', 'DELETE'], {
  type: 'string',
  description: 'For clients that can only GET and POST: the method of a request that is sent as POST.',
});

/** Operations in which servers may give the id of the object that they create. */
const WITH_ID: ReadonlySet<OperationId> = new Set<OperationId>([
  'createConversation',
  'sendMessage',
  'createConversationAsServer',
  'sendMessageAsServer',
  'createAnnouncement',
]);

/** Whether If-None-Match names the id of a new object: for servers alone. */
export function takesIdFromHeader({ id, auth }: Pick<ApiRoute, 'id' | 'auth'>): boolean {
  return auth === 'bearer' && WITH_ID.has(id);
}

/** References to the headers that every request of such a route may have, without those that its operation describes itself. */
export function requestHeaders(
  route: ApiRoute,
  described: ReadonlySet<string>,
  registry: Registry,
): object[] {
  const { method } = route;
  return [
    ...(isRepeatable(route) ? [header('Idempotency-Key', IDEMPOTENCY_KEY)] : []),
    ...(takesIdFromHeader(route) ? [header('If-None-Match', IF_NONE_MATCH)] : []),
    ...(method === 'GET' || method === 'POST' ? [] : [header('X-HTTP-Method-Override', METHOD_OVERRIDE)]),
  ]
    .filter(({ name }) => !described.has(name))
    .map((parameter) => shared(registry, 'parameters', [parameter.name, parameter]));

  function header(name: string, given: TSchema) {
    const { description, ...schema } = toJsonSchema(given, registry.schemas) as { description: string };
    return { name, in: 'header', required: false, description, schema };
  }
}
