import type { IncomingMessage } from 'node:http';
import { requestIdOf } from '@parley/domain/http/request-id';
import { ANSWER_HEADERS } from '@parley/kit/http/answer-headers';
import type { Pair } from '@parley/kit/http/raw-answer';
import type { Target } from '@parley/kit/http/target';
import { runInContext } from '@parley/kit/runtime/request-context';
import type { Caller } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { GatewayContext } from '../../../../gateway/src/context.ts';
import { countRequest } from '../../../../gateway/src/admission/count-request.ts';
import { createObserve } from './observe.ts';
import { createHoldRefusals, holdExpress } from './held-answers.ts';
import { HttpContext } from './http-context.ts';
import type { Cors } from '../../../../gateway/src/api/http/cors.ts';
import { inHttpSpan, noteHttpAnswer, openHttpSpan } from './span.ts';
import type { Route } from '../../../../gateway/src/api/request/route.ts';
import { writeResponse } from '../answers/write.ts';
import type { HttpResponse } from '../answers/response.ts';

/** One request and its answer. */
export type Exchange = {
  req: IncomingMessage;
  /** Without the query, still percent-encoded. */
  path: string;
  query: string;
  isPreflight: boolean;
  /** Whom the request's token belongs to, once that is known. */
  caller: ExchangeCaller | undefined;
  /** Runs the work with the request's id, deadline and abort signal. What it throws is logged, and ends the connection. */
  run(work: () => Promise<void>): void;
  answer(answer: HttpResponse, route?: Route): void;
  /** Makes the answer the last one of its connection. */
  closeAfterwards(): void;
  /** Leaves the answer to express, and sets the common headers for it. */
  handOver(): void;
};

/** `userId` empty: a server. */
export type ExchangeCaller = {
  appId: string;
  userId: string;
  tokenId: string;
  /** The person whose token of an application it is, in the form that is passed on to services. */
  actor?: string | undefined;
  /** The caller, when it is such a token. */
  operator?: Caller | undefined;
};

export type OpenExchange = (pair: Pair, target: Target) => Exchange;

/** How long the work of a request may take. */
const DEADLINE_MS = 5_000;

const COMMON_HEADERS = { vary: 'Origin', ...ANSWER_HEADERS };

export function createOpenExchange(ctx: GatewayContext, cors: Cors): OpenExchange {
  const observe = createObserve(ctx);
  const hold = createHoldRefusals(ctx);
  const compresses = ctx.config.compression;
  return ({ req, res }, { path, query }) => {
    const began = performance.now();
    const deadline = began + DEADLINE_MS;
    const method = req.method ?? '';
    const requestId = requestIdOf(req.headers['x-request-id']);
    const span = openHttpSpan(req, { method, path, requestId });
    const finished = (route: string, status: number, error?: string): void => {
      noteHttpAnswer(span, { method, route: route.startsWith('/') ? route : undefined, status });
      const ms = performance.now() - began;
      observe({ method, route, status, ms });
      const { appId, userId } = exchange.caller ?? {};
      ctx.requestLog.answered(status, ms, () => ({ method, route, appId, userId, error, requestId }));
    };
    const common = { 'x-request-id': requestId, ...COMMON_HEADERS, ...cors.headers(path, req.headers) };
    const exchange: Exchange = {
      req,
      path,
      query,
      caller: undefined,
      isPreflight:
        req.method === 'OPTIONS' &&
        req.headers['access-control-request-method'] !== undefined &&
        cors.isShared(path),
      run(work) {
        const context = new HttpContext({ requestId, deadline, res, exchange });
        const ended = runInContext(context, () => inHttpSpan(span, res, work)).catch((error: unknown) => {
          ctx.log.error({ error, requestId }, 'failed to answer a request; closing the connection');
          res.destroy();
        });
        void ended.then(() => {
          if (res.writableEnded || res.closed) context.release();
          else res.once('close', () => context.release());
        });
      },
      answer(answer, route) {
        const { status } = answer;
        hold({ req, res, status, caller: exchange.caller }, () =>
          writeResponse(res, answer, { common, compresses }),
        );
        finished(route?.path ?? 'none', status, problemIdOf(answer));
        if (!route) return;
        const { appId = '', userId = '' } = exchange.caller ?? {};
        countRequest(ctx.figures, { appId, userId, status });
      },
      closeAfterwards: () => void (res.shouldKeepAlive = false),
      handOver() {
        for (const [name, value] of Object.entries(common)) res.setHeader(name, value);
        res.on('finish', () => finished('other', res.statusCode));
        holdExpress(hold, { req, res });
      },
    };
    return exchange;
  };
}

function problemIdOf({ status, body }: HttpResponse): string | undefined {
  return status < 400 ? undefined : (body as { id?: string } | undefined)?.id;
}
