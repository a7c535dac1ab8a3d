import { Code, ConnectError } from '@connectrpc/connect';
import { notFound, retryHeaders, toHttp } from '@parley/domain/problems';
import { startTimeout } from '@parley/kit/clock';
import type { Context } from '../context.ts';
import { sendEmpty, type Exchange } from './exchange.ts';
import { LockedError } from './tus.ts';

const LINGER_MS = 2_000;

/** Answers with an error, unless the response has begun or the client is gone. */
export function answerFailure(ctx: Context, exchange: Exchange, error: unknown): void {
  const { req, res } = exchange;
  if (res.headersSent || req.socket.destroyed) return void res.destroy();
  if (!req.complete) drainBody(exchange);
  if (error instanceof LockedError) return sendEmpty(exchange, 423, { 'tus-resumable': '1.0.0' });
  const answer = toHttp(asProblem(error), { url: `${ctx.config.publicUrl}/docs/errors`, wire: ctx.wire });
  const { status, body } = answer;
  if (status >= 500)
    ctx.log[status === 500 ? 'error' : 'warn']({ error, method: req.method, status }, 'request failed');
  const text = JSON.stringify(body);
  res.writeHead(status, { ...retryHeaders(answer), 'content-type': 'application/json; charset=utf-8' });
  res.end(req.method === 'HEAD' ? undefined : text);
}

/** Reads the rest of the body for a moment, unless reading it is what is refused: closing the connection at once would lose the response. */
function drainBody({ req, res, expectsContinue, isShredded = false }: Exchange): void {
  if (isShredded) {
    req.pause();
    res.shouldKeepAlive = false;
    return;
  }
  if (expectsContinue) res.setHeader('connection', 'close');
  req.on('error', () => undefined).resume();
  const cancel = startTimeout(LINGER_MS, () => req.destroy());
  req.on('close', cancel);
}

/** Turns the store's NotFound into the problem not_found. */
function asProblem(error: unknown): unknown {
  const isMissing =
    error instanceof ConnectError && error.code === Code.NotFound && error.details.length === 0;
  return isMissing ? notFound('content', null) : error;
}
