import type { IncomingMessage } from 'node:http';
import { startTimeout } from '../runtime/clock/index.ts';
import type { Pair } from './raw-answer.ts';

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Closes the connection of a request whose body has not ended `lingerMs` after the answer: reading on costs as much as serving it. */
export function endLateBody({ req, res }: Pair, lingerMs: number): void {
  const { socket } = req;
  res.once('finish', () => {
    if (req.complete || socket.destroyed) return;
    const cancel = startTimeout(lingerMs, () => socket.destroy());
    socket.once('close', cancel);
    req
      .on('error', () => undefined)
      .once('end', () => {
        cancel();
        socket.off('close', cancel);
      });
    req.resume();
  });
}
