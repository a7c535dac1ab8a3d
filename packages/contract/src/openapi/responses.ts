import { errors, type ErrorId } from '../errors.ts';
import type { Operation, Success } from '../operations/operation.ts';
import { ErrorRecord } from '../records/error.ts';
import { toJsonSchema, type Components } from './components.ts';
import { mediaTypesOf } from './media-types.ts';
import type { DescribedRoute } from './route.ts';

/** Headers of an error status beyond those of every answer. */
const ERROR_HEADERS: Record<number, Record<string, object>> = {
  429: {
    'Retry-After': header('Seconds to wait.', 'integer'),
    RateLimit: header('The limit and what is left of it.', 'string'),
  },
  503: { 'Retry-After': header('Seconds to wait.', 'integer') },
  405: { Allow: header('The methods that the path takes.', 'string') },
};

/** All answers of an operation by HTTP status. */
export function responsesOf(route: DescribedRoute, operation: Operation, components: Components): object {
  const responses: Record<string, object> = {};
  for (const [status, success] of Object.entries(operation.success)) {
    responses[status] = successResponse(route, success, components);
  }
  for (const [status, ids] of byStatus([...commonErrors(route), ...operation.errors])) {
    responses[status] ??= errorResponse(route, operation, { status, ids }, components);
  }
  return responses;
}

function successResponse(route: DescribedRoute, success: Success, components: Components): object {
  const { description, body, headers } = success;
  return {
    description,
    headers: {
      ...REQUEST_ID,
      ...Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, schema]) => [
          name,
          { schema: toJsonSchema(schema, components) },
        ]),
      ),
    },
    ...(body && {
      content: contentOf(body.mediaTypes ?? mediaTypesOf(route), {
        schema: toJsonSchema(body.schema, components),
        example: body.example,
      }),
    }),
  };
}

function errorResponse(
  route: DescribedRoute,
  { errorData = {} }: Operation,
  { status, ids }: { status: number; ids: ReadonlySet<ErrorId> },
  components: Components,
): object {
  const list = [...ids].sort();
  const headers = { ...REQUEST_ID, ...ERROR_HEADERS[status] };
  if (status === 404 && route.emptyNotFound && route.auth === 'session') {
    return { description: EMPTY_NOT_FOUND, headers };
  }
  const data = list.flatMap((id) => errorData[id] ?? []).map((schema) => toJsonSchema(schema, components));
  const properties = { id: { enum: list }, ...(data.length > 0 && { data: { anyOf: data } }) };
  const schema = { allOf: [toJsonSchema(ErrorRecord, components), { type: 'object', properties }] };
  const lines = list.map((id) => `\`${id}\`: ${errors[id].message}`);
  if (status === 404 && route.emptyNotFound) lines.push(EMPTY_NOT_FOUND);
  return {
    description: lines.join('\n\n'),
    headers,
    content: contentOf(mediaTypesOf(route), { schema }),
  };
}

const EMPTY_NOT_FOUND =
  'The body is empty when there is no such message or part, or the caller does not see it.';

/** What may go wrong with every route of this kind. */
function commonErrors(route: DescribedRoute): ErrorId[] {
  const ids: ErrorId[] = [
    'rate_limit_exceeded',
    'request_timeout',
    'internal_server_error',
    'service_unavailable',
  ];
  if (route.accept !== 'any') ids.push('invalid_header');
  const takesBody = route.method !== 'GET' && route.method !== 'DELETE';
  if (takesBody) ids.push('invalid_request', 'request_entity_too_large');
  if (route.emptyNotFound) ids.push('not_found');
  // A page of an origin that the app does not allow is refused with access_denied.
  if (route.auth !== 'none') ids.push('authentication_required', 'app_suspended', 'access_denied');
  // An app that is not the token's own is not found.
  if (route.auth === 'bearer') ids.push('not_found');
  if (route.auth === 'bearer' && route.describedAs !== undefined) ids.push('user_suspended');
  return ids;
}

function byStatus(ids: readonly ErrorId[]): Map<number, Set<ErrorId>> {
  const statuses = new Map<number, Set<ErrorId>>();
  for (const id of ids) {
    const status = errors[id].httpStatus;
    statuses.set(status, (statuses.get(status) ?? new Set()).add(id));
  }
  return new Map([...statuses].sort(([a], [b]) => a - b));
}

const REQUEST_ID = { 'X-Request-Id': header('Names the request in logs.', 'string') };

function header(description: string, type: string): object {
  return { description, schema: { type } };
}

function contentOf(mediaTypes: readonly string[], content: object): object {
  return Object.fromEntries(mediaTypes.map((type) => [type, content]));
}
