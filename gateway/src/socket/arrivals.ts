import type { RawData, WebSocket } from 'ws';
import { createTurns } from '@parley/kit/turns';
import type { SessionCaller } from '../auth/index.ts';

/** A packet of at least this size takes milliseconds to parse. Bytes. */
const LARGE_PACKET_BYTES = 32_768;
/** Less than the silence after which the keep-alive ends a socket. */
const MAX_WAIT_MS = 60_000;

type Packet = { data: RawData; isBinary: boolean };

type Options = {
  webSocket: WebSocket;
  caller: Pick<SessionCaller, 'appId' | 'userId'>;
  /** Must not throw. */
  receive(data: RawData, isBinary: boolean): void;
  /** The turn of a large packet did not come in time. Must not throw. */
  failed(error: unknown): void;
};

/** Of each socket one packet waits, so that the number of those that wait needs no limit of its own. */
const inTurn = createTurns({
  levels: [{ waiting: Infinity }, { waiting: Infinity }, { waiting: Infinity }],
  waitMs: MAX_WAIT_MS,
  refusal: () => new Error('too many large packets'),
});

/**
 * Passes on the packets of a socket in order. A large one waits for its turn among those of all sockets, so that many of
 * them do not keep the thread together; meanwhile the socket is not read.
 */
export function receiveInTurn({ webSocket, caller, receive, failed }: Options): void {
  const waiting: Packet[] = [];
  let isOpen = true;

  async function passOn(): Promise<void> {
    webSocket.pause();
    for (let next = waiting[0]; next && isOpen; next = waiting[0]) {
      const { data, isBinary } = next;
      if (isLarge(data))
        await inTurn(['all', caller.appId, caller.userId], () => isOpen && receive(data, isBinary));
      else receive(data, isBinary);
      waiting.shift();
    }
    webSocket.resume();
  }

  webSocket.on('close', () => {
    isOpen = false;
    waiting.length = 0;
  });
  webSocket.on('message', (data, isBinary) => {
    if (waiting.length === 0 && !isLarge(data)) return receive(data, isBinary);
    if (waiting.push({ data, isBinary }) === 1) passOn().catch(failed);
  });
}

function isLarge(data: RawData): boolean {
  return Buffer.isBuffer(data) && data.length >= LARGE_PACKET_BYTES;
}
