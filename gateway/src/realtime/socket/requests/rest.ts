import { invalid, optional, optionalObject, requiredText } from '@parley/domain/parse/fields';
import { fail } from '@parley/domain/problems';
import { clientView } from '../../../admission/client-view.ts';
import type { ApiRequest, Handler } from '../../../api/operations.ts';
import type { RequestKind } from '../../../admission/limits/concurrency.ts';
import { RenderedData } from './rendered-data.ts';
import type { SocketRequest, RequestHandler } from './request.ts';

/** How the members of a socket request map to path, query and body of a REST request. */
type Translation = {
  /** The path parameter that takes `object_id`. */
  object?: 'conversation_id' | 'message_id';
  /** `data` names a user, by `user_id`, whom the path names. */
  user?: boolean;
  /** The members of `data` that become query parameters. */
  query?: readonly string[];
  /** The kind of the route: its concurrency limit counts socket and REST requests together. */
  kind?: RequestKind;
};

/** A socket method that runs the handler of a REST route. */
export function asRest(handle: Handler, translation: Translation = {}): RequestHandler {
  return async (request) => {
    const { ctx } = request;
    const rest = toApiRequest(request, translation);
    async function work() {
      return handle(ctx, rest);
    }
    const { kind } = translation;
    const { body = {}, json } = await (kind ? ctx.limits.concurrency.run(kind, rest, work) : work());
    if (json === undefined) return body as object;
    return request.connection.isLean ? (JSON.parse(json) as object) : new RenderedData(json);
  };
}

/** The REST request that a socket request stands for. Problems: missing_property, invalid_request, invalid_property. */
export function toApiRequest(
  request: SocketRequest,
  { object, user = false, query = [] }: Omit<Translation, 'kind'>,
): ApiRequest {
  const { connection, objectId, data } = request;
  const { appId, userId, incarnation, sessionId: tokenId } = connection.caller;
  return {
    params: {
      ...(object && { [object]: requireObject(objectId) }),
      ...(user && { user_id: requiredText(optionalObject(data), 'user_id') }),
    },
    query: new URLSearchParams(query.flatMap((name) => queryOf(name, data))),
    headers: {},
    body: query.length > 0 ? undefined : (data ?? undefined),
    appId,
    userId,
    incarnation,
    tokenId,
    view: clientView(request.ctx, connection.caller),
    weigh: request.weigh,
  };
}

function requireObject(objectId: unknown): string {
  return typeof objectId === 'string' ? objectId : fail('missing_property', { property: 'object_id' });
}

/**
 * Converts a member of `data`, a string or a boolean, to a query parameter. An empty array counts as absent, as it does in the body of a
 * DELETE. Problems: invalid_request, invalid_property.
 */
function queryOf(name: string, data: unknown): [string, string][] {
  const isNothing = Array.isArray(data) && data.length === 0;
  const value = isNothing ? undefined : optional(optionalObject(data), name);
  if (value === undefined) return [];
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'boolean') return [[name, value ? 'true' : 'false']];
  return invalid(name, 'must be a string or a boolean.');
}
