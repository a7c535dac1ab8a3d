import type { IncomingMessage } from 'node:http';
import { requestIdOf } from '@parley/domain/http/request-id';
import { ANSWER_HEADERS } from '@parley/kit/http/answer-headers';
import type { Pair } from '@parley/kit/http/raw-answer';
import type { Target } from '@parley/kit/http/target';
import { runInContext } from '@parley/kit/runtime/request-context';
import type { ExchangeCaller } from './caller.ts';
import { createObserve } from './observe.ts';
import { createHoldRefusals, holdExpress } from './held-answers.ts';
import { HttpContext } from './http-context.ts';
import type { Cors } from './cors.ts';
import { inHttpSpan, noteHttpAnswer, openHttpSpan } from './span.ts';
import type { HttpParts } from '../parts.ts';
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
  /** `route`: that of the table, if one has the request's path. */
  answer(answer: HttpResponse, route?: { path: string }): void;
  /** Makes the answer the last one of its connection. */
  closeAfterwards(): void;
  /** Leaves the answer to express, and sets the common headers for it. */
  handOver(): void;
};

export type OpenExchange = (pair: Pair, target: Target) => Exchange;

/** How long the work of a request may take. */
const DEADLINE_MS = 5_000;

const COMMON_HEADERS = { vary: 'Origin', ...ANSWER_HEADERS };

type Options = {
  cors: Cors;
  /** Is called for each answer of a route; `appId` and `userId` are empty where there is none. */
  answered?(answered: { appId: string; userId: string; status: number }): void;
};

export function createOpenExchange(parts: HttpParts, { cors, answered }: Options): OpenExchange {
  const observe = createObserve(parts.metrics);
  const hold = createHoldRefusals(parts);
  const { compresses, log, requestLog } = parts;
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
      requestLog.answered(status, ms, () => ({ method, route, appId, userId, error, requestId }));
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
          log.error({ error, requestId }, 'failed to answer a request; closing the connection');
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
        answered?.({ appId, userId, status });
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
