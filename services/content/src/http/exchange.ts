import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, failCodedBody } from '@parley/domain/problems';
import { CountedPieces } from '@parley/kit/runtime/gathered-bytes';
import { hasCodedBody } from '@parley/kit/http/content-coding';

/** One HTTP request and its response. */
export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  /** The path after the handler's, without a slash at its end, and the query behind it. */
  rest: string;
  /** The client waits for `100 Continue` before it sends the body. */
  expectsContinue: boolean;
  /** The body came in so many pieces that no more of it is read. */
  isShredded?: boolean;
};

/** The first value of a header. */
export function headerOf({ req }: Exchange, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Refuses bytes in a coding: they would be kept so, and nobody told. Problems: invalid_header. */
export function requirePlainBody({ req }: Exchange): void {
  if (hasCodedBody(req.headers)) failCodedBody();
}

/**
 * The body; sends `100 Continue` if the client waits for it. Problems: request_timeout when the client is gone; invalid_request when
 * it comes in too many pieces, each of which takes time.
 */
export function bodyOf(exchange: Exchange): AsyncIterable<Uint8Array> {
  const { req, res, expectsContinue } = exchange;
  // Iterating over a destroyed request would never end.
  if (req.destroyed) fail('request_timeout');
  if (expectsContinue) res.writeContinue();
  // A handler that stops reading still answers on the same connection.
  return whileWhole(exchange, req.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>);
}

async function* whileWhole(exchange: Exchange, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = new CountedPieces();
  for await (const chunk of body) {
    pieces.add(chunk);
    if (pieces.areTooMany) {
      exchange.isShredded = true;
      fail('invalid_request', {
        message: 'The body comes in too many small pieces: send it in pieces of at least 64 bytes.',
      });
    }
    yield chunk;
  }
}

export function sendJson({ res }: Exchange, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  res.writeHead(status, headers).end(text);
}

export function sendEmpty(
  { res }: Exchange,
  status: number,
  headers: Record<string, string> = {},
  reason?: string,
): void {
  const all = status === 204 ? headers : { ...headers, 'content-length': '0' };
  if (reason) res.writeHead(status, reason, all);
  else res.writeHead(status, all);
  res.end();
}
