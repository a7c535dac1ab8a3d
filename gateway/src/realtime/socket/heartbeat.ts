import type { WebSocket } from 'ws';

/**
 * Answers a client's pings, but only the latest of those that came together or while an answer was being written, so that a flood of pings
 * does not cause a flood of pongs. RFC 6455, 5.5.3
 */
export function answerPings(webSocket: Pick<WebSocket, 'on' | 'pong'>): void {
  let latest: Buffer | undefined;
  let isAnswering = false;

  function answer(): void {
    const data = latest;
    latest = undefined;
    isAnswering = data !== undefined;
    if (data) webSocket.pong(data, false, answer);
  }

  webSocket.on('ping', (data) => {
    latest = data;
    if (isAnswering) return;
    isAnswering = true;
    process.nextTick(answer);
  });
}
