import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { packetJson, textFrame, type FrameBody, type PacketType } from './frame.ts';

/** A packet with its number and timestamp. */
export type Packet = { type: PacketType; counter: number; timestamp: string; body: FrameBody };

/** A socket whose writer sends all buffered packets before the closing frame, even when the client closes the socket. */
export class WritableWebSocket extends WebSocket {
  beforeClose: (() => void) | undefined;

  override close(code?: number, reason?: string | Buffer): void {
    this.beforeClose?.();
    super.close(code, reason);
  }
}

type Options = { webSocket: WritableWebSocket; stream: Duplex };

/**
 * Writes all packets of a tick in one system call, as one text. Packets of compressed sockets are framed by `ws`, because it compresses
 * asynchronously and keeps their order.
 */
export class PacketWriter {
  readonly #webSocket: WritableWebSocket;
  readonly #stream: Duplex;
  readonly #isCompressed: boolean;
  /** The frames of this tick, with one character per byte. */
  #frames = '';
  #inTick = false;

  constructor({ webSocket, stream }: Options) {
    this.#webSocket = webSocket;
    this.#stream = stream;
    this.#isCompressed = webSocket.extensions !== '';
    webSocket.beforeClose = () => this.#flush();
  }

  /** Whether a packet was written in this tick. */
  get inTick(): boolean {
    return this.#inTick;
  }

  /** Bytes that the client has not read yet. */
  get buffered(): number {
    return this.#webSocket.bufferedAmount + this.#frames.length;
  }

  /** Returns the size of the packet before compression. Bytes. */
  write({ type, counter, timestamp, body }: Packet): number {
    this.#beginTick();
    const bytes = packetJson(type, counter, timestamp, body.bytes);
    if (this.#isCompressed) this.#webSocket.send(packetJson(type, counter, timestamp, body.json));
    else this.#frames += textFrame(bytes);
    return bytes.length;
  }

  #beginTick(): void {
    if (this.#inTick) return;
    this.#inTick = true;
    if (this.#isCompressed) this.#stream.cork();
    process.nextTick(() => {
      this.#inTick = false;
      if (this.#isCompressed) this.#stream.uncork();
      else this.#flush();
    });
  }

  /** Nothing may follow a closing frame. */
  #flush(): void {
    const frames = this.#frames;
    this.#frames = '';
    if (frames && this.#webSocket.readyState === WebSocket.OPEN) this.#stream.write(frames, 'latin1');
  }
}
