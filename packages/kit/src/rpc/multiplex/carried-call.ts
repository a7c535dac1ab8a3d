import { Metadata } from '@grpc/grpc-js';
import type { MultiplexRequest } from '@parley/proto/parley/rpc/v1/multiplex_service_pb';
import { startDeadline } from '../../runtime/clock/deadline.ts';
import type { IncomingUnaryCall } from '../serve-unary.ts';
import { toWallTime } from '../wall-time.ts';

/** A unary call that arrived over a multiplexing stream. It is cancelled at its deadline, and with its stream. */
export class CarriedCall implements IncomingUnaryCall {
  readonly headers: Readonly<Record<string, string>>;
  request: Buffer;
  #metadata: Metadata | undefined;
  readonly #path: string;
  readonly #deadline: number;
  readonly #cancelTimer: () => void;
  readonly #listeners: (() => void)[] = [];
  cancelled = false;

  constructor({ path, message, timeoutMs, headers }: MultiplexRequest) {
    this.request = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    this.#path = path;
    this.headers = headers;
    const left = timeoutMs > 0 ? Math.min(timeoutMs, LONGEST_TIMEOUT_MS) : 0;
    this.#deadline = toWallTime(performance.now() + left);
    this.#cancelTimer = startDeadline(left, () => this.cancel());
  }

  get metadata(): Metadata {
    if (this.#metadata) return this.#metadata;
    this.#metadata = new Metadata();
    for (const key in this.headers) this.#metadata.set(key, this.headers[key] ?? '');
    return this.#metadata;
  }

  getDeadline(): number {
    return this.#deadline;
  }

  getHost(): string {
    return 'multiplexed';
  }

  getPath(): string {
    return this.#path;
  }

  on(_event: 'cancelled', listener: () => void): void {
    this.#listeners.push(listener);
  }

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Ends the call once it is answered. Drops the request, which the call's context would otherwise keep alive:
   * docs/decisions/foundation.md#short-lived-objects-stay-young
   */
  end(): void {
    this.#cancelTimer();
    this.#listeners.length = 0;
    this.request = NOTHING;
  }
}

const LONGEST_TIMEOUT_MS = 2_147_483_647;
const NOTHING = Buffer.alloc(0);
