import type { Duplex } from 'node:stream';
import { isoTime } from '@parley/domain/json/time';
import type { Wire } from '@parley/domain/wire';
import { startTimeout } from '@parley/kit/runtime/clock';
import type { SessionCaller } from '../../admission/auth/index.ts';
import type { FrameBody, PacketType } from './frame.ts';
import { GoneObjects, type About } from './gone-objects.ts';
import { NamedUsers } from './named-users.ts';
import { OwnMessages } from './own-messages.ts';
import { OwnRequests } from './own-requests.ts';
import { PacketWriter, type WritableWebSocket } from './writer.ts';

/** Close codes with which the server ends a socket. docs/protocol/websocket.md#keep-alive-and-the-end */
export const CLOSE_CODES = {
  goingAway: 1012,
  unsupportedPacket: 1003,
  notJson: 1007,
  tooManyFrames: 1008,
  tooLarge: 1009,
  internalError: 1011,
  slowReader: 1013,
  badUpgrade: 4400,
  sessionEnded: 4401,
  forbidden: 4403,
  tryLater: 4429,
} as const;

/**
 * A socket is closed as too slow when earlier ticks left more than this unread. Two packets of the largest size are allowed in addition,
 * since a large packet takes long to send. The client syncs when it reconnects. Bytes.
 */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Most bytes that one tick may write to a socket. */
const MAX_BYTES_IN_TICK = 16 * MAX_BUFFERED_BYTES;
/** Time that the client has to answer the close frame before the socket is destroyed. Milliseconds. */
export const CLOSE_GRACE_MS = 2000;

type HeldPacket = { type: PacketType; body: FrameBody };
type Options = {
  webSocket: WritableWebSocket;
  stream: Duplex;
  caller: SessionCaller;
  now: () => number;
  isExtended: boolean;
  /** Present for a socket of the lean subprotocol. */
  leanWire?: Wire | undefined;
};

/**
 * Packet types with a lean form of their own; responses get theirs where they are made, and all other types have the same form in every
 * subprotocol.
 */
const LEAN_TYPES: ReadonlySet<PacketType> = new Set(['change', 'operation', 'signal']);

/** One client's socket: numbers its packets, writes the packets of a tick at once, and closes when the reader is too slow. */
export class Connection {
  readonly caller: SessionCaller;
  readonly connectedAt: number;
  /** Whether the socket speaks the extended subprotocol. */
  readonly isExtended: boolean;
  /** Whether it speaks the lean subprotocol, which is also an extended one. */
  readonly isLean: boolean;
  /** Requests of this client, whose packets it does not need. */
  readonly ownRequests = new OwnRequests();
  /** Messages sent by the client of a lean socket, which does not need their packets. */
  readonly ownMessages: OwnMessages | undefined;
  readonly namedUsers = new NamedUsers();
  /** When the client last sent anything. Milliseconds since the epoch. */
  lastReceivedAt: number;
  readonly #webSocket: WritableWebSocket;
  readonly #writer: PacketWriter;
  readonly #now: () => number;
  readonly #leanWire: Wire | undefined;
  readonly #gone = new GoneObjects();
  #counter = -1;
  #open = true;
  #held: HeldPacket[] | undefined;
  #holders = 0;
  #heldBytes = 0;
  /** Size of the largest packet written since the buffer was last empty. Bytes. */
  #largest = 0;

  constructor({ webSocket, stream, caller, now, isExtended, leanWire }: Options) {
    this.#webSocket = webSocket;
    this.#writer = new PacketWriter({ webSocket, stream });
    this.#now = now;
    this.caller = caller;
    this.isExtended = isExtended;
    this.isLean = leanWire !== undefined;
    this.ownMessages = leanWire && new OwnMessages();
    this.#leanWire = leanWire;
    this.connectedAt = now();
    this.lastReceivedAt = this.connectedAt;
  }

  /** Number of the last packet sent; -1 before the first. */
  get counter(): number {
    return this.#counter;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Bytes that the client has not read yet. */
  get buffered(): number {
    return this.#writer.buffered;
  }

  /** Sends a live packet, or holds it while a replay is being written. */
  push(type: PacketType, body: FrameBody): void {
    if (!this.#open) return;
    if (!this.#held) return this.write(type, body);
    const own = this.#formOf(type, body);
    this.#held.push({ type, body: own });
    this.#heldBytes += own.bytes.length;
    if (this.#heldBytes > MAX_BUFFERED_BYTES * 8) this.close(CLOSE_CODES.slowReader, 'too far behind');
  }

  /**
   * Closes the socket and returns true if its session has expired. Idle sockets are closed by a timer:
   * docs/protocol/authentication.md#sessions
   */
  endIfOver(now = this.#now()): boolean {
    const { expiresAt } = this.caller;
    const isOver = expiresAt > 0 && expiresAt <= now;
    if (isOver) this.close(CLOSE_CODES.sessionEnded, 'session ended');
    return isOver;
  }

  /**
   * Sends a packet now, before the held ones, unless its object is gone according to an earlier packet. `told`: the gone objects of a
   * replay, which may repeat earlier packets.
   */
  write(type: PacketType, body: FrameBody, told?: GoneObjects): void {
    if (!this.#open) return;
    const now = this.#now();
    if (this.endIfOver(now)) return;
    if (body.about) this.ownMessages?.precede(body.about);
    if (body.about && !this.#admits(body.about, told)) return;
    const { buffered } = this;
    if (buffered === 0) this.#largest = 0;
    if (buffered - 2 * this.#largest > (this.#writer.inTick ? MAX_BYTES_IN_TICK : MAX_BUFFERED_BYTES))
      return this.close(CLOSE_CODES.slowReader, 'slow reader');
    this.#counter += 1;
    const timestamp = isoTime(now);
    const own = this.#formOf(type, body);
    const bytes = this.#writer.write({ type, counter: this.#counter, timestamp, body: own });
    this.#largest = Math.max(this.#largest, bytes);
  }

  #formOf(type: PacketType, body: FrameBody): FrameBody {
    return this.#leanWire && LEAN_TYPES.has(type) ? body.lean(this.#leanWire) : body;
  }

  /** Whether a change before `seq` told the client that the object is gone. */
  wasToldGone(id: string, seq: number): boolean {
    return this.#gone.has(id, seq);
  }

  #admits(about: About, told: GoneObjects | undefined): boolean {
    if (!told) return this.#gone.admits(about);
    if (!told.admits(about)) return false;
    this.#gone.admits(about);
    return true;
  }

  /** Holds live packets until this and all overlapping calls have settled, and then writes them in order. */
  async holdWhile<T>(work: () => Promise<T>): Promise<T> {
    this.#held ??= [];
    this.#holders += 1;
    try {
      return await work();
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) this.#release();
    }
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#heldBytes = 0;
    for (const { type, body } of held) this.write(type, body);
  }

  ping(): void {
    if (this.#open) this.#webSocket.ping();
  }

  close(code: number, reason: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#held &&= [];
    this.#webSocket.close(code, reason);
    // Otherwise a client that does not read would keep the socket open for the 30 s of `ws`.
    startTimeout(CLOSE_GRACE_MS, () => this.#webSocket.terminate());
  }

  /** Records that the client has disconnected. */
  markClosed(): void {
    this.#open = false;
    this.#held &&= [];
  }

  terminate(): void {
    this.#open = false;
    this.#held &&= [];
    this.#webSocket.terminate();
  }
}
