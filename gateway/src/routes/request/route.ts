import type { IncomingHttpHeaders } from 'node:http';
import type { View } from '@parley/domain/json/view';
import type { Answer } from '../../answers/answer.ts';
import type { GatewayContext } from '../../context.ts';
import type { RequestKind } from '../../limits/concurrency.ts';
import type { Weigh } from '../../limits/index.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One row of the public API. */
export type Route = {
  method: Method;
  /** e.g. `/conversations/:conversation_id/messages`; a parameter matches one segment and arrives decoded. */
  path: string;
  /**
   * `session`: a user's session; the row is also served under `/apps/:app_uuid/users/:user_id` for the app's servers.
   * `bearer`: an access token of the app in the path. `none`: nobody looks. `checked`: whatever token is there must be good.
   */
  auth: 'session' | 'bearer' | 'none' | 'checked';
  /** What Accept must name. Default: the API's media type. `any`: Accept does not matter. */
  accept?: 'api' | 'webhooks' | 'any';
  /** What the row is about is a message or a part: when it is not found the answer is a 404 with an empty body. */
  emptyNotFound?: boolean;
  /** Requests count for the address that they come from, since nobody is known yet. */
  limitedByAddress?: boolean;
  /** What to do instead when the body is too large. */
  tooLarge?: string;
  /** Whose an Idempotency-Key is where nobody is authenticated; undefined: the key is not looked at. */
  keyScope?: (ctx: GatewayContext, request: ApiRequest) => KeyScope | undefined;
  /** How many of this kind a user and an application may have under way is limited. Default of a PATCH: `patch`. */
  kind?: RequestKind;
  /** One line for the OpenAPI document. */
  summary: string;
  handle: Handler;
};

/** Parse, call, present. */
export type Handler = (ctx: GatewayContext, request: ApiRequest) => Answer | Promise<Answer>;

export type ApiRequest = {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The parsed JSON; undefined when there was no body. Always undefined for GET and DELETE. */
  body: unknown;
  /** Bare uuid; empty where nobody is authenticated. */
  appId: string;
  /** Who acts; empty: the app's server, or nobody. */
  userId: string;
  /** Of the user whose session it is; undefined: not known, or the app's server acts. */
  incarnation?: number | undefined;
  /** Id of the session or access token in the request; empty on routes without authentication. */
  tokenId: string;
  /** Whose view the answer is in. */
  view: View;
  weigh: Weigh;
};

/** Who gives a key: keys of different callers are different keys. */
export type KeyScope = {
  appId: string;
  caller: string;
  /** Of a caller who is not authenticated yet: identity puts the key on record only if the login would succeed. */
  login?: { appId: string; identityToken: string; origin?: string };
};

/** Whether requests of a route may carry a body. */
export function takesBody({ method }: Route): boolean {
  return method !== 'GET' && method !== 'DELETE';
}
