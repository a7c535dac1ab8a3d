import type { View } from '@parley/domain/json/view';
import { fail } from '@parley/domain/problems';
import type { ApiRequest, Handler } from '../../http/route.ts';
import type { RequestHandler, SocketRequest } from './index.ts';

/** What of a socket's request stands for path, query and body of the same call by REST. */
type Translation = {
  /** The path's parameter that `object_id` stands for. */
  object?: 'conversation_id' | 'message_id';
  /** The members of `data` that REST takes from the query. */
  query?: readonly string[];
};

/** A method that does what a row of the REST API does, by the same handler. */
export const asRest =
  (handle: Handler, translation: Translation = {}): RequestHandler =>
  async (request) => {
    const { body = {} } = await handle(request.ctx, toApiRequest(request, translation));
    return body as object;
  };

const toApiRequest = (request: SocketRequest, { object, query = [] }: Translation): ApiRequest => {
  const { connection, objectId, data } = request;
  const { appId, userId } = connection.caller;
  return {
    params: object ? { [object]: requireObject(objectId) } : {},
    query: new URLSearchParams(query.flatMap((name) => queryOf(name, data))),
    headers: {},
    body: query.length > 0 ? undefined : (data ?? undefined),
    appId,
    userId,
    view: clientView(request),
  };
};

export const clientView = ({ ctx, connection }: SocketRequest): View => {
  const { appId, userId } = connection.caller;
  const { wire, downloads, config } = ctx;
  return { wire, downloads, baseUrl: config.publicUrl, audience: 'client', appId, userId };
};

const requireObject = (objectId: unknown): string =>
  typeof objectId === 'string' ? objectId : fail('missing_property', { property: 'object_id' });

const queryOf = (name: string, data: unknown): [string, string][] => {
  const value = (data as Record<string, unknown> | null | undefined)?.[name];
  return value === undefined || value === null ? [] : [[name, String(value)]];
};
