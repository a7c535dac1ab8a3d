import type { RawData, WebSocket } from 'ws';
import { startTimeout } from '@parley/kit/runtime/clock';
import { createTurns } from '@parley/kit/flow/turns';
import type { SessionCaller } from '../../admission/auth/index.ts';

/** A packet of at least this size takes milliseconds to parse. Bytes. */
const LARGE_PACKET_BYTES = 32_768;
/** Shorter than the silence after which the keep-alive ends a socket. Milliseconds. */
const MAX_WAIT_MS = 60_000;
/** Packets accepted from a client that has not yet read that its socket is closing. After these nothing more is read. */
const MOST_AFTER_CLOSE = 100;

type Packet = { data: RawData; isBinary: boolean };

type Options = {
  webSocket: WebSocket;
  caller: Pick<SessionCaller, 'appId' | 'userId'>;
  /** False once the gateway has begun to close the socket: later packets are dropped. */
  isOpen(): boolean;
  /** Must not throw. */
  receive(data: RawData, isBinary: boolean): void;
  /** Called when a large packet did not get its turn in time. Must not throw. */
  failed(error: unknown): void;
};

export type LargePacketQueue = {
  /** Stops reading for `ms` milliseconds; packets that have already arrived wait. */
  pause(ms: number): void;
};

type State = Options & {
  waiting: Packet[];
  /** Whether waiting packets are being passed on; the socket is not read meanwhile. */
  isPassingOn: boolean;
  afterClose: number;
  pause: { ended: Promise<void>; end: () => void } | undefined;
};

/** At most one packet per socket waits, so the number of waiting packets needs no limit. */
const inTurn = createTurns({
  levels: [{ waiting: Infinity }, { waiting: Infinity }, { waiting: Infinity }],
  waitMs: MAX_WAIT_MS,
  refusal: () => new Error('too many large packets'),
});

/**
 * Passes on the packets of a socket in order. A large packet waits for its turn among those of all sockets, so that many large packets do
 * not block the thread; meanwhile the socket is not read. Packets that arrived with the last bytes read wait, too: 64 KiB at most.
 */
export function createLargePacketQueue(options: Options): LargePacketQueue {
  const { webSocket, failed } = options;
  const state: State = { ...options, waiting: [], isPassingOn: false, afterClose: 0, pause: undefined };
  webSocket.on('close', () => {
    state.waiting.length = 0;
    state.pause?.end();
  });
  webSocket.on('message', (data, isBinary) => {
    if (!state.isOpen()) return dropAfterClose(state);
    if (!state.isPassingOn && !isLarge(data)) return state.receive(data, isBinary);
    state.waiting.push({ data, isBinary });
    if (!state.isPassingOn) passOn(state).catch(failed);
  });
  return {
    pause(ms) {
      if (state.pause || !state.isOpen()) return;
      state.pause = startPause(ms);
      if (!state.isPassingOn) passOn(state).catch(failed);
    },
  };
}

function startPause(ms: number): NonNullable<State['pause']> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const cancel = startTimeout(ms, resolve);
  function end(): void {
    cancel();
    resolve();
  }
  return { ended, end };
}

async function passOn(state: State): Promise<void> {
  const { webSocket, waiting } = state;
  state.isPassingOn = true;
  webSocket.pause();
  await endOfPause(state);
  for (let next = waiting[0]; next && state.isOpen(); next = waiting[0]) {
    await pass(state, next);
    waiting.shift();
    await endOfPause(state);
  }
  waiting.length = 0;
  state.isPassingOn = false;
  // A closing socket is read, too: the client's close frame is still to come.
  webSocket.resume();
}

function endOfPause(state: State): Promise<void> | undefined {
  return state.pause?.ended.then(() => {
    state.pause = undefined;
  });
}

async function pass({ caller, isOpen, receive }: State, { data, isBinary }: Packet): Promise<void> {
  if (!isLarge(data)) return receive(data, isBinary);
  await inTurn(['all', caller.appId, caller.userId], () => isOpen() && receive(data, isBinary));
}

function dropAfterClose(state: State): void {
  state.afterClose += 1;
  if (state.afterClose === MOST_AFTER_CLOSE) state.webSocket.pause();
}

function isLarge(data: RawData): boolean {
  return Buffer.isBuffer(data) && data.length >= LARGE_PACKET_BYTES;
}
