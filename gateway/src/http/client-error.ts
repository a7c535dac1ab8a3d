import type { Duplex } from 'node:stream';
import type { GatewayContext } from '../context.ts';
import { constantError, errorForm } from './error-form.ts';
import { requestIdOf } from './request/request-id.ts';

const MALFORMED = constantError('invalid_request');
const TIMED_OUT = constantError('request_timeout');

/** Answers malformed requests, and those that did not arrive in time, which never reach a request handler. */
export function refuseMalformed(ctx: GatewayContext): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const refusal = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TIMED_OUT : MALFORMED;
    const { status, json: text } = errorForm(refusal, ctx.errorDocs);
    const head = [
      `HTTP/1.1 ${status} ${status === 408 ? 'Request Timeout' : 'Bad Request'}`,
      `X-Request-Id: ${requestIdOf(undefined)}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  };
}
