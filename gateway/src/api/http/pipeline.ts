import type { IncomingMessage } from 'node:http';
import type { ApiContext, Uses } from '../context.ts';
import { createNegotiation } from './request/accept.ts';
import { authorize, screen, type Actor } from './authorize.ts';
import { readJson } from '@parley/http/requests/body';
import { errorAnswer, methodNotAllowed } from './errors.ts';
import type { Exchange } from '@parley/http/exchange/exchange';
import type { Match, Matcher } from './match.ts';
import { methodOf } from './request/method.ts';
import { answerOnce, type Reader } from './idempotency.ts';
import { takesBody, type ApiRequest, type Route } from '../request/route.ts';
import type { HttpResponse } from '@parley/http/answers/response';

/** Answers a request by its route; false when no route has the path. */
export type Pipeline = (exchange: Exchange) => Promise<boolean>;

/** Steps: method, route, address limit, Accept, authorization, body, handler. Errors of all steps are answered in the same way. */
export function createPipeline(ctx: ApiContext, matcher: Matcher): Pipeline {
  const negotiate = {
    api: createNegotiation(ctx.wire.mediaType, ctx.wire),
    webhooks: createNegotiation(ctx.wire.webhooksMediaType, ctx.wire),
    any: () => undefined,
  };

  async function handle(route: Route, request: ApiRequest): Promise<HttpResponse> {
    try {
      return await admitted(ctx, route, request);
    } catch (error) {
      const answer = await errorAnswer(ctx, error, route);
      return answer.status === 404 && route.emptyNotFound ? { status: 404 } : answer;
    }
  }

  const reader: Reader = {
    isRead: (path) => matcher.find('GET', path) !== undefined,
    async read(path, request) {
      const match = matcher.find('GET', path);
      return match ? handle(match.route, asRead(request, match)) : { status: 404 };
    },
  };

  async function runRow(exchange: Exchange, match: Match): Promise<HttpResponse> {
    const { req, path } = exchange;
    const { route } = match;
    // Runs before any parsing of a request without a session.
    if (isAnonymous(route, req)) ctx.limits.address(req);
    const screened = screen(ctx, route, req);
    negotiate[route.accept ?? 'api'](req.headers.accept);
    const actor = await authorize(ctx, match, exchange, screened);
    const operator = exchange.caller?.operator;
    if (!operator) return work(exchange, match, actor);
    return ctx.consoleTokens.record({ caller: operator, route, path }, (entered) => {
      if (entered !== undefined && exchange.caller) exchange.caller.actor = entered;
      return work(exchange, match, actor);
    });
  }

  async function work(exchange: Exchange, { route, params }: Match, actor: Actor): Promise<HttpResponse> {
    const { req, path, query } = exchange;
    const body = takesBody(route) ? await readBody(exchange, route, actor) : undefined;
    const request = { params, query: new URLSearchParams(query), headers: req.headers, body, ...actor };
    const target = query ? `${path}?${query}` : path;
    const run = () => handle(route, request);
    return answerOnce(ctx, { route, request, target }, { run, reader });
  }

  return async (exchange) => {
    let match: Match | undefined;
    try {
      match = matcher.find(methodOf(exchange.req), exchange.path);
      if (!match) return answerUnmatched(ctx, matcher, exchange);
      exchange.answer(await runRow(exchange, match), match.route);
    } catch (error) {
      exchange.answer(await errorAnswer(ctx, error, match?.route), match?.route);
    }
    return true;
  };
}

/** Turns a caller's request into a GET by the same caller. */
function asRead(request: ApiRequest, { params }: Match): ApiRequest {
  return { ...request, params, query: new URLSearchParams(), headers: {}, body: undefined };
}

function readBody({ req, closeAfterwards }: Exchange, { tooLarge }: Route, caller: Actor): Promise<unknown> {
  return readJson(req, { caller, tooLarge, closeAfterwards });
}

/** Whether the request's token, if it has one, is ignored, so that the limit of its address applies. */
function isAnonymous({ auth }: Route, { headers }: IncomingMessage): boolean {
  return auth === 'none' || (auth === 'checked' && headers.authorization === undefined);
}

/** The handler's answer, once the concurrency limit of the route's kind admits the request. */
async function admitted(ctx: ApiContext, route: Route, request: ApiRequest): Promise<HttpResponse> {
  const kind = route.kind ?? (route.method === 'PATCH' ? 'patch' : undefined);
  if (!kind) return route.handle(ctx, request);
  return ctx.limits.concurrency.run(kind, request, async () => route.handle(ctx, request));
}

function answerUnmatched(ctx: Uses<'errorDocs'>, matcher: Matcher, exchange: Exchange): boolean {
  const allow = matcher.allow(exchange.path);
  if (allow === undefined) return false;
  if (exchange.req.method === 'OPTIONS') exchange.answer({ status: 204, headers: { allow } });
  else exchange.answer(methodNotAllowed(ctx, allow));
  return true;
}
