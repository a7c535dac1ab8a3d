import Type from 'typebox';
import { errors, statusOf, type ErrorId } from '../errors.ts';
import type { Success } from '../api/operation.ts';
import type { ApiRoute } from '../api/routes.ts';
import { commonErrors } from './common-errors.ts';
import { toJsonSchema } from './components.ts';
import { errorSchema, errorSchemaWith, pascalCase, refusedClient } from './errors.ts';
import { mediaTypesOf } from './media-types.ts';
import { shared, type Registry } from './registry.ts';
import { responseHeaders } from './response-headers.ts';
import { takesBody } from './route.ts';

/** Facts of a route that decide how an error is answered. */
type Failing = Pick<ApiRoute, 'auth' | 'emptyNotFound' | 'errorData'>;
type ErrorStatus = { status: number; ids: readonly ErrorId[] };

/** All answers of an operation by HTTP status. Those that other operations give too are references. */
export function responsesOf(route: ApiRoute, registry: Registry): object {
  const responses: Record<string, object> = {};
  for (const [status, success] of Object.entries(route.success)) {
    responses[status] = successResponse(route, [Number(status), success], registry);
  }
  for (const failure of byStatus([...commonErrors(route), ...route.errors])) {
    responses[failure.status] = errorResponse(route, failure, registry);
  }
  if (takesBody(route)) Object.assign(responses, codedBodyResponse(registry));
  return responses;
}

/** The answer to a body with a Content-Encoding. */
export function codedBodyResponse(registry: Registry): Record<string, object> {
  const status = statusOf('invalid_header', { header: 'Content-Encoding' });
  const failing: Failing = { auth: 'bearer' };
  return { [status]: errorResponse(failing, { status, ids: ['invalid_header'] }, registry) };
}

/** The answers of a failed request for the errors of an address that takes no token, by HTTP status. */
export function errorResponses(ids: readonly ErrorId[], registry: Registry): Record<string, object> {
  const route = { auth: 'bearer' } as const;
  const failures = byStatus(ids).map((failure) => {
    const response = errorResponse(route, failure, registry);
    return [String(failure.status), response] as const;
  });
  return Object.fromEntries(failures);
}

function successResponse(
  route: ApiRoute,
  [status, { description, body, headers = {} }]: [status: number, success: Success],
  registry: Registry,
): object {
  const own = Object.entries(headers).map(([name, schema]) => {
    const { description, ...plain } = toJsonSchema(schema, registry.schemas) as { description?: string };
    return [name, { description, required: !Type.IsOptional(schema), schema: plain }] as const;
  });
  return {
    description,
    headers: { ...responseHeaders(status, registry), ...Object.fromEntries(own) },
    ...(body && {
      content: contentOf(body.mediaTypes ?? mediaTypesOf(route), {
        schema: toJsonSchema(body.schema, registry.schemas),
        example: body.example,
      }),
    }),
  };
}

function errorResponse(route: Failing, { status, ids }: ErrorStatus, registry: Registry): object {
  const headers = responseHeaders(status, registry);
  const isOwn = ids.some((id) => route.errorData?.[id]);
  if (status === 404 && route.emptyNotFound) return emptyNotFound(route, headers, registry);
  const schemas = ids
    .map((id) => schemaOf(route, id))
    .map((schema) => toJsonSchema(schema, registry.schemas));
  const response = {
    description: ids.map((id) => `\`${id}\`: ${errors[id].message}`).join('\n\n'),
    headers,
    content: contentOf(['application/json'], {
      schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
    }),
  };
  if (isOwn) return response;
  const suffix = status === 401 && isOfClient(route) ? 'WithNonce' : '';
  return shared(registry, 'responses', [`${ids.map(pascalCase).join('Or')}${suffix}`, response]);
}

function schemaOf(route: Failing, id: ErrorId) {
  const data = route.errorData?.[id];
  if (data) return errorSchemaWith(id, data);
  return id === 'authentication_required' && isOfClient(route) ? refusedClient() : errorSchema(id);
}

/** A message or part that the caller does not find; an app other than that of the access token has a body. */
function emptyNotFound({ auth }: Failing, headers: object, registry: Registry): object {
  const description = 'There is no such message or part, or the caller does not see it. The body is empty.';
  if (auth !== 'bearer') return shared(registry, 'responses', ['EmptyNotFound', { description, headers }]);
  const response = {
    description: `${description.slice(0, -1)}; it is an error when the app or the user in the path is not found.`,
    headers,
    // OpenAPI has no word for a body that may be left out.
    'x-may-be-empty': true,
    content: contentOf(['application/json'], {
      schema: toJsonSchema(errorSchema('not_found'), registry.schemas),
    }),
  };
  return shared(registry, 'responses', ['NotFoundOrEmpty', response]);
}

/** Whether a 401 has a nonce. */
function isOfClient({ auth }: Failing): boolean {
  return auth !== 'bearer';
}

function byStatus(ids: readonly ErrorId[]): ErrorStatus[] {
  const statuses = [...new Set(ids.map((id) => errors[id].httpStatus))].sort((a, b) => a - b);
  const sorted = [...new Set(ids)].sort();
  return statuses.map((status) => ({ status, ids: sorted.filter((id) => errors[id].httpStatus === status) }));
}

/** One content for every media type; the example stands with the first type. */
export function contentOf(
  mediaTypes: readonly string[],
  { schema, example }: { schema?: object | undefined; example?: unknown },
): object {
  return Object.fromEntries(
    mediaTypes.map((type, index) => [
      type,
      index === 0 && example !== undefined ? { schema, example } : { schema },
    ]),
  );
}
