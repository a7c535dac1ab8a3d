import type { SocketLike, WebSocketConstructor } from './websocket.ts';
import type { BasicIdentity } from '@parley/contract/gen/records';
import { ParleyError, type ErrorRecord } from '../errors.ts';
import type { Change } from '../records/records.ts';

/** The body of `hello`. */
export type Hello = {
  readonly user: BasicIdentity;
  readonly server_time: string;
  readonly limits: Readonly<Record<string, unknown>>;
};

export type SocketHandlers = {
  hello(hello: Hello): void;
  change(change: Change, timestamp: string): void;
  signal(signal: Signal): void;
  /** Called when a packet was lost. */
  gap(): void;
  problem(name: string, data: Readonly<Record<string, unknown>>): void;
  closed(end: { code: number; reason: string }): void;
};

type ServerPacket = { readonly counter: number; readonly timestamp: string } & (
  | { readonly type: 'hello'; readonly body: Hello }
  | { readonly type: 'change' | 'operation'; readonly body: Change }
  | { readonly type: 'signal'; readonly body: Signal }
  | { readonly type: 'response'; readonly body: Response }
  | { readonly type: 'error'; readonly body: ErrorRecord }
);

/** A signal of another user. */
export type Signal = {
  readonly type: string;
  readonly object: { readonly id: string };
  readonly data: { readonly action: string; readonly sender: { readonly id: string } };
};

/** Only the request knows the type of its data. */
type Response = { readonly request_id: string } & (
  { readonly success: true; readonly data: never } | { readonly success: false; readonly data: ErrorRecord }
);
type Waiter = { resolve(data: never): void; reject(error: ParleyError): void };

const RESPONSE_WITHIN_MS = 15_000;
/** A connection on which nothing arrived this long after a probe is considered broken. Milliseconds. */
const PROBE_WITHIN_MS = 5_000;
/** Longer than other requests, since a replay sends its packets before the response. Milliseconds. */
const REPLAY_WITHIN_MS = 150_000;

/** One connection, from opening to closing. */
export class Socket {
  readonly #socket: SocketLike;
  readonly #handlers: SocketHandlers;
  readonly #waiters = new Map<string, Waiter>();
  readonly #opening: ReturnType<typeof setTimeout>;
  #probe: ReturnType<typeof setTimeout> | undefined;
  #counter = -1;
  #heardAt = performance.now();
  #requests = 0;
  #isOpen = false;
  #isClosed = false;

  constructor(
    constructor: WebSocketConstructor,
    { url, protocols }: { url: string; protocols: string[] },
    handlers: SocketHandlers,
  ) {
    this.#handlers = handlers;
    this.#socket = new constructor(url, protocols);
    this.#opening = setTimeout(() => this.#end(1006, 'no hello'), RESPONSE_WITHIN_MS);
    this.#socket.onopen = () => (this.#isOpen = true);
    this.#socket.onmessage = ({ data }: { data: unknown }) => this.#receive(data);
    this.#socket.onclose = ({ code, reason }: { code: number; reason: string }) => this.#end(code, reason);
    this.#socket.onerror = () => this.#end(1006, 'error');
  }

  /** Resolves with the result of a request; throws a ParleyError, including when the socket closes before the result. */
  request<T>(method: string, data?: unknown, object_id?: string): Promise<T> {
    if (this.#isClosed || !this.#isOpen)
      return Promise.reject(
        new ParleyError({ id: 'network_error', message: 'The platform did not answer.' }),
      );
    const request_id = String(++this.#requests);
    const within = method === 'Event.replay' ? REPLAY_WITHIN_MS : RESPONSE_WITHIN_MS;
    const timer = setTimeout(() => this.#end(1006, `no response to ${method}`), within);
    const slow = AbortSignal.timeout(PROBE_WITHIN_MS);
    slow.onabort = () => this.probe(PROBE_WITHIN_MS);
    const response = new Promise<T>((resolve, reject) => this.#waiters.set(request_id, { resolve, reject }));
    this.#send('request', { request_id, method, object_id, data });
    return response.finally(() => {
      clearTimeout(timer);
      slow.onabort = null;
    });
  }

  /**
   * Requests a response if nothing arrived for `silentForMs`, and closes the connection without one, since a page does not see pings. The
   * response's number reveals lost packets.
   */
  probe(silentForMs: number): void {
    const askedAt = performance.now();
    if (this.#probe !== undefined || !this.#isOpen || askedAt - this.#heardAt < silentForMs) return;
    this.#probe = setTimeout(() => {
      this.#probe = undefined;
      if (this.#heardAt < askedAt) this.#end(1006, 'no sign of life');
    }, PROBE_WITHIN_MS);
    const answered = (): void => {
      clearTimeout(this.#probe);
      this.#probe = undefined;
    };
    this.request('Counter.read').then(answered, () => undefined);
  }

  signal(body: unknown): void {
    this.#send('signal', body);
  }

  close(): void {
    this.#end(1000, '');
  }

  #send(type: string, body: unknown): void {
    if (this.#isOpen && !this.#isClosed) this.#socket.send(JSON.stringify({ type, body }));
  }

  #end(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#opening);
    clearTimeout(this.#probe);
    const error = new ParleyError({ id: 'network_error', message: `It closed with ${code}.` });
    for (const { reject } of this.#waiters.values()) reject(error);
    this.#waiters.clear();
    this.#handlers.closed({ code, reason });
    // The transport may never notice that the connection is broken.
    this.#socket.close();
  }

  #receive(data: unknown): void {
    if (this.#isClosed) return;
    this.#heardAt = performance.now();
    try {
      const packet: ServerPacket = JSON.parse(String(data));
      if (packet.counter !== this.#counter + 1) this.#handlers.gap();
      this.#take(packet);
    } catch (error) {
      // A packet of a later release, which this one cannot read. The next packet's number reveals whether one was lost.
      this.#handlers.problem('packet_ignored', { reason: String(error) });
    }
  }

  #take(packet: ServerPacket): void {
    this.#counter = packet.counter;
    const handlers = this.#handlers;
    switch (packet.type) {
      case 'hello':
        clearTimeout(this.#opening);
        return handlers.hello(packet.body);
      case 'change':
      case 'operation':
        return handlers.change(packet.body, packet.timestamp);
      case 'signal':
        return handlers.signal(packet.body);
      case 'response':
        return this.#answer(packet.body);
      case 'error':
        return handlers.problem('packet_refused', { error: packet.body.id });
    }
  }

  #answer(response: Response): void {
    const waiter = this.#waiters.get(response.request_id);
    this.#waiters.delete(response.request_id);
    if (response.success) waiter?.resolve(response.data);
    else waiter?.reject(new ParleyError(response.data));
  }
}
