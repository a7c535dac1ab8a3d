import type { IncomingHttpHeaders } from 'node:http';
import type { View } from '@parley/domain/json/view';
import type { Piece } from '../answers/pieces.ts';
import type { GatewayContext } from '../context.ts';
import type { RequestKind } from '../limits/concurrency.ts';
import type { Weigh } from '../limits/index.ts';
import type { KeyScope } from '../http/idempotency.ts';

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

export type Answer = {
  status: number;
  headers?: Record<string, string> | undefined;
  /** Rendered as JSON; undefined: an empty body. */
  body?: unknown;
  /** Sent as it is, with a content-type of its own in `headers`. */
  text?: string | undefined;
  /** The body, rendered already. */
  json?: string | undefined;
  /** A body that is an array, piece by piece. */
  stream?: StreamedArray | undefined;
};

/** An array that is too large to be held whole. */
export type StreamedArray = {
  /** The first items as a JSON array. */
  first: string;
  next: (() => Promise<Piece>) | undefined;
  /** To be called when nothing of it is held any more, however that came; may be called more than once. */
  done: () => void;
};
