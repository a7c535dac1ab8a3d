import type { View } from '@parley/domain/json/view';
import { invalid, isFields, optional } from '@parley/domain/parse/fields';
import { fail } from '@parley/domain/problems';
import type { ApiRequest, Handler } from '../../routes/request/route.ts';
import type { RequestKind } from '../../limits/concurrency.ts';
import type { SocketRequest, RequestHandler } from './request.ts';

/** What of a socket's request stands for path, query and body of the same call by REST. */
type Translation = {
  /** The path's parameter that `object_id` stands for. */
  object?: 'conversation_id' | 'message_id';
  /** The members of `data` that REST takes from the query. */
  query?: readonly string[];
  /** The kind of the row, whose concurrency limit counts requests of both ways. */
  kind?: RequestKind;
};

/** A method that does what a row of the REST API does, by the same handler. */
export function asRest(handle: Handler, translation: Translation = {}): RequestHandler {
  return async (request) => {
    const { ctx } = request;
    const rest = toApiRequest(request, translation);
    async function work() {
      return handle(ctx, rest);
    }
    const { kind } = translation;
    const { body = {} } = await (kind ? ctx.limits.concurrency.run(kind, rest, work) : work());
    return body as object;
  };
}

function toApiRequest(request: SocketRequest, { object, query = [] }: Translation): ApiRequest {
  const { connection, objectId, data } = request;
  const { appId, userId, incarnation, sessionId: tokenId } = connection.caller;
  return {
    params: object ? { [object]: requireObject(objectId) } : {},
    query: new URLSearchParams(query.flatMap((name) => queryOf(name, data))),
    headers: {},
    body: query.length > 0 ? undefined : (data ?? undefined),
    appId,
    userId,
    incarnation,
    tokenId,
    view: clientView(request),
    weigh: request.weigh,
  };
}

export function clientView({ ctx, connection }: SocketRequest): View {
  const { appId, userId } = connection.caller;
  const { wire, downloads, config } = ctx;
  return { wire, downloads, baseUrl: config.publicUrl, audience: 'client', appId, userId };
}

function requireObject(objectId: unknown): string {
  return typeof objectId === 'string' ? objectId : fail('missing_property', { property: 'object_id' });
}

/** A member of `data` as REST has it in the query: a string, or a boolean for its name. Problems: invalid_property. */
function queryOf(name: string, data: unknown): [string, string][] {
  const value = isFields(data) ? optional(data, name) : undefined;
  if (value === undefined) return [];
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'boolean') return [[name, value ? 'true' : 'false']];
  return invalid(name, 'must be a string or a boolean.');
}
