import { Code, ConnectError } from '@connectrpc/connect';
import { requestIdOf } from '@parley/domain/http/request-id';
import {
  errorOf,
  fail,
  notFound,
  problem,
  retryHeaders,
  toHttp,
  type ErrorDocs,
} from '@parley/domain/problems';
import type { Fault, FaultAnswer } from '@parley/kit/http/fault';
import type { Context } from '../context.ts';
import { sendEmpty, type Exchange } from './exchange.ts';
import { LockedError } from './tus.ts';

/** Answers with an error, unless the response has begun or the client is gone. */
export function answerFailure(ctx: Context, exchange: Exchange, error: unknown): void {
  const { req, res } = exchange;
  if (res.headersSent || req.socket.destroyed) return void res.destroy();
  if (!req.complete) leaveBody(exchange);
  if (error instanceof LockedError) return sendEmpty(exchange, 423, { 'tus-resumable': '1.0.0' });
  const answer = toHttp(asProblem(error), docsOf(ctx));
  const { status, body } = answer;
  if (status >= 500)
    ctx.log[status === 500 ? 'error' : 'warn']({ error, method: req.method, status }, 'request failed');
  const text = JSON.stringify(body);
  res.writeHead(status, {
    ...retryHeaders(answer),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  res.end(req.method === 'HEAD' ? undefined : text);
}

/** Leaves the rest of the body to the listener, unless reading it is what is refused: then the connection ends with the answer. */
function leaveBody({ req, res, expectsContinue, isShredded = false }: Exchange): void {
  req.on('error', () => undefined);
  if (isShredded) req.pause();
  else req.resume();
  if (isShredded || expectsContinue) res.shouldKeepAlive = false;
}

function docsOf({ config, wire }: Context): ErrorDocs {
  return { url: `${config.publicUrl}/docs/errors`, wire };
}

/** Throws the error for a fault that the listener found. */
export function problemOfFault({ message, header }: Fault): never {
  return fail('invalid_request', { message, data: header === undefined ? undefined : { header } });
}

/** The answer to what never became a request. */
export function faultAnswer(ctx: Context, { kind }: Fault): FaultAnswer {
  const headers = { 'x-request-id': requestIdOf(undefined) };
  if (kind === 'headers_too_large') return { status: 431, headers, body: '' };
  const isLate = kind === 'timed_out';
  const { body } = toHttp(errorOf(problem(isLate ? 'request_timeout' : 'invalid_request')), docsOf(ctx));
  return {
    status: isLate ? 408 : 400,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}

/** Turns the store's NotFound into the problem not_found. */
function asProblem(error: unknown): unknown {
  const isMissing =
    error instanceof ConnectError && error.code === Code.NotFound && error.details.length === 0;
  return isMissing ? notFound('content', null) : error;
}
