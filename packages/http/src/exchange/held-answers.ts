import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { startTimeout } from '@parley/kit/runtime/clock';
import { guardListener } from '@parley/kit/runtime/guard-listener';
import type { HttpParts } from '../parts.ts';
import type { ExchangeCaller } from './caller.ts';

/** How long the answer to a refused request waits once there were too many of them. Milliseconds. */
const HOLD_MS = 1_000;
/** Answers that wait: of one connection, which asked without waiting for answers, and in all. Beyond that the connection ends. */
const MOST_OF_CONNECTION = 50;
const MOST = 10_000;

type Asked = {
  req: IncomingMessage;
  res: ServerResponse;
  status: number;
  caller: ExchangeCaller | undefined;
};

/**
 * Sends an answer, or lets it wait when its caller goes on although requests are refused: over one connection then comes one such
 * request a second. The connection is not read meanwhile. It is kept, because behind a proxy it serves other callers
 * next. docs/protocol/requests.md#many-refused-requests
 */
export type HoldRefusals = (asked: Asked, send: () => void) => void;

export function createHoldRefusals({
  limits: { refusals, addressOf },
  log,
}: Pick<HttpParts, 'limits' | 'log'>): HoldRefusals {
  const held = new WeakMap<Socket, number>();
  let all = 0;

  function countOf(socket: Socket): number {
    const count = held.get(socket);
    if (count !== undefined) return count;
    // Node's parser resumes the socket whenever a request is complete or its body is read.
    socket.on('resume', () => {
      if (countOf(socket) > 0) socket.pause();
    });
    return 0;
  }

  function change(socket: Socket, by: 1 | -1): number {
    const count = countOf(socket) + by;
    held.set(socket, count);
    all += by;
    return count;
  }

  function hold({ req: { socket }, res }: Asked, send: () => void): void {
    if (change(socket, 1) > MOST_OF_CONNECTION || all > MOST) {
      change(socket, -1);
      return void socket.destroy();
    }
    socket.pause();
    startTimeout(HOLD_MS, () => {
      if (change(socket, -1) === 0) socket.resume();
      guardListener(send, (error) => {
        log.error({ error }, 'failed to answer a refused request; closing the connection');
        res.destroy();
      });
    });
  }

  return (asked, send) => {
    const { req, status, caller } = asked;
    const isCounted = caller ? status === 429 : status >= 400 && status < 500;
    if (!isCounted) return send();
    if (refusals.count('http', caller ? nameOf(caller) : `address ${addressOf(req)}`)) return send();
    hold(asked, send);
  };
}

// The servers of an application have a token each: one that floods holds up no other.
function nameOf({ appId, userId, tokenId }: ExchangeCaller): string {
  return userId === '' ? `token ${tokenId}` : `user ${appId}/${userId}`;
}

/** Holds an answer that express writes, as `hold` does for routes of the table. */
export function holdExpress(hold: HoldRefusals, asked: Omit<Asked, 'status' | 'caller'>): void {
  const { res } = asked;
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse;
  function endLater(...args: unknown[]): ServerResponse {
    hold({ ...asked, status: res.statusCode, caller: undefined }, () => {
      if (!res.writableEnded && !res.destroyed) end(...args);
    });
    return res;
  }
  res.end = endLater;
}
