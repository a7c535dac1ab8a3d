import type { Duplex } from 'node:stream';
import { problem, toHttp } from '@parley/domain/problems';
import type { GatewayContext } from '../context.ts';
import { requestIdOf } from './request/request-id.ts';

const PROBLEMS: Record<string, 'request_timeout' | undefined> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers malformed requests, and those that did not arrive in time, which never reach a request handler. */
export function refuseMalformed(ctx: GatewayContext): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { status, body } = toHttp(problem(PROBLEMS[error.code ?? ''] ?? 'invalid_request'), ctx.errorDocs);
    const text = JSON.stringify(body);
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
