import type { IncomingHttpHeaders } from 'node:http';
import type { View } from '@parley/domain/json/view';
import type { HttpResponse } from '../../responses/response.ts';
import type { GatewayContext } from '../../context.ts';
import type { OperatorRule } from '../../operators/rule.ts';
import type { RequestKind } from '../../limits/concurrency.ts';
import type { Weigh } from '../../limits/index.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One route of the public API. */
export type Route = {
  method: Method;
  /** e.g. `/conversations/:conversation_id/messages`; a parameter matches one segment and arrives decoded. */
  path: string;
  /**
   * `session`: a user's session; the route is also served under `/apps/:app_uuid/users/:user_id` for the app's servers.
   * `bearer`: an access token of the app in the path. `none`: tokens are ignored. `checked`: a token is optional, but must be valid.
   */
  auth: 'session' | 'bearer' | 'none' | 'checked';
  /** For tokens that a person of the console got; undefined: they do not reach the route. */
  operator: OperatorRule | undefined;
  /** What Accept must name. Default: the API's media type. `any`: Accept does not matter. */
  accept?: 'api' | 'webhooks' | 'any';
  /** The route is about a message or a part: when that is not found, the answer is a 404 with an empty body. */
  emptyNotFound?: boolean;
  /** The error message for a body that is too large. */
  tooLarge?: string;
  /** The owner of an Idempotency-Key on routes without authentication; undefined: the key is ignored. */
  keyScope?: (ctx: GatewayContext, request: ApiRequest) => Promise<KeyScope | undefined>;
  /** Limits how many requests of this kind a user and an application may have under way. Default of a PATCH: `patch`. */
  kind?: RequestKind;
  /** One line for the OpenAPI document. */
  summary: string;
  /** `METHOD path` of the route under which this one is described, when it is not its own. */
  describedAs?: string;
  handle: Handler;
};

/** Parse, call, present. */
export type Handler = (ctx: GatewayContext, request: ApiRequest) => HttpResponse | Promise<HttpResponse>;

export type ApiRequest = {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The parsed JSON; undefined when there was no body. Always undefined for GET and DELETE. */
  body: unknown;
  /** Bare uuid; empty on routes without authentication. */
  appId: string;
  /** The acting user; empty: the app's server, or no authentication. */
  userId: string;
  /** Incarnation of the session's user; undefined: unknown, or the app's server acts. */
  incarnation?: number | undefined;
  /** Id of the session or access token in the request; empty on routes without authentication. */
  tokenId: string;
  /** The view of the answer. */
  view: View;
  weigh: Weigh;
};

/** The owner of a key: equal keys of different callers are different keys. */
export type KeyScope = {
  appId: string;
  caller: string;
  /** The incarnation of the calling user, without which the next holder of an erased id has the same keys. Undefined, or 0: a server, and the first person with a user id. */
  incarnation: number | undefined;
  /** The login of a caller without a session: identity records the key only if the login would succeed. */
  login?: { appId: string; identityToken: string; origin?: string };
};

/** Whether requests of a route may carry a body. */
export function takesBody({ method }: Route): boolean {
  return method !== 'GET' && method !== 'DELETE';
}
