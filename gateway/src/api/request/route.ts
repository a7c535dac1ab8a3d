import type { IncomingHttpHeaders } from 'node:http';
import type { Description } from '@parley/contract/api/operation';
import type { ApiRoute } from '@parley/contract/api/routes';
import type { View } from '@parley/domain/json/view';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiContext } from '../context.ts';
import type { OperatorRule } from '@parley/administration/roles';
import type { Weigh } from '../../admission/limits/index.ts';

/** A route of the contract with its handler. */
export type Route = Omit<ApiRoute, 'operator' | 'keyOwner' | keyof Description> & {
  /** Rule for the tokens of people from the console; undefined: the route refuses them. */
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
  /** The acting user; empty: the app's server acts, or the route has no authentication. */
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
  /**
   * The incarnation of the calling user; without it the next holder of an erased user id would share keys. Undefined or 0: a server, or the
   * first person with a user id.
   */
  incarnation: number | undefined;
  /** The login of a caller without a session: identity records the key only if the login would succeed. */
  login?: { appId: string; identityToken: string; origin?: string };
};

/** Whether requests of a route may carry a body. */
export function takesBody({ method }: Route): boolean {
  return method !== 'GET' && method !== 'DELETE';
}
