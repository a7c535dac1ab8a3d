import type { IncomingHttpHeaders } from 'node:http';
import type { Description } from '@parley/contract/api/operation';
import type { ApiRoute } from '@parley/contract/api/routes';
import type { View } from '@parley/domain/json/view';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiContext } from '../context.ts';
import type { OperatorRule } from '@parley/administration/roles';
import type { Weigh } from '../../admission/limits/index.ts';

/** A route of the contract with what serves it. */
export type Route = Omit<ApiRoute, 'operator' | 'keyOwner' | keyof Description> & {
  /** For tokens that a person of the console got; undefined: they do not reach the route. */
  operator: OperatorRule | undefined;
  /** The owner of an Idempotency-Key on routes without authentication; undefined: the key is ignored. */
  keyScope: ((ctx: ApiContext, request: ApiRequest) => Promise<KeyScope | undefined>) | undefined;
  handle: Handler;
};

/** Parse, call, present. */
export type Handler = (ctx: ApiContext, request: ApiRequest) => HttpResponse | Promise<HttpResponse>;

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
