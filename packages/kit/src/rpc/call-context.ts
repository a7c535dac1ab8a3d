import { randomUUID } from 'node:crypto';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextValues,
  type ContextValues,
  type HandlerContext,
} from '@connectrpc/connect';
import type { Metadata } from '@grpc/grpc-js';
import type { RequestContext } from '../runtime/request-context.ts';
import { headersFrom, metadataFrom, textOf } from './metadata.ts';
import { fromWallTime } from './wall-time.ts';

/** Tolerance for a deadline that was converted twice, and for a timer that fires early. Milliseconds. */
const GRAIN_MS = 3;

/** The common part of all grpc-js server calls. */
export type IncomingCall = {
  readonly metadata: Metadata;
  /** Text entries of the metadata, if they are available. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cancelled: boolean;
  getDeadline(): Date | number;
  getHost(): string;
  getPath(): string;
  on(event: 'cancelled', listener: () => void): unknown;
};

/**
 * A call from its handler's point of view, and the request context in which it runs. Built for each call, so rarely used parts are created
 * on first use. `signal` aborts when the client cancels or the deadline passes, but not when the call is answered: work that outlives the
 * answer continues.
 */
export class CallContext implements HandlerContext, RequestContext {
  readonly service: DescService;
  readonly method: DescMethod;
  readonly protocolName = 'grpc';
  readonly requestMethod = 'POST';
  readonly requestId: string;
  readonly deadline: number | undefined;
  readonly operationId: string | undefined;
  readonly actor: string | undefined;
  readonly #call: IncomingCall;
  #abort: AbortController | undefined;
  #reason: ConnectError | undefined;
  #answered = false;
  #requestHeader: Headers | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;
  #values: ContextValues | undefined;

  constructor(method: DescMethod, call: IncomingCall) {
    this.service = method.parent;
    this.method = method;
    this.#call = call;
    const { headers } = call;
    const text = (key: string) => (headers ? headers[key] : textOf(call.metadata, key));
    this.requestId = text('x-request-id') ?? randomUUID();
    this.operationId = text('x-operation-id');
    this.actor = text('x-actor');
    const deadline = Number(call.getDeadline());
    this.deadline = deadline === Infinity ? undefined : fromWallTime(deadline);
    if (call.cancelled) this.#cancel();
    else call.on('cancelled', () => this.#cancel());
  }

  /** Why the caller no longer waits for the answer. */
  get aborted(): ConnectError | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#reason && !this.#abort.signal.aborted) this.#abort.abort(this.#reason);
    return this.#abort.signal;
  }

  /** Marks the call as answered, so that the following end of its stream does not count as cancellation. */
  markAnswered(): void {
    this.#answered = true;
  }

  timeoutMs(): number | undefined {
    return this.deadline === undefined ? undefined : this.deadline - performance.now();
  }

  get url(): string {
    return `http://${this.#call.getHost()}${this.#call.getPath()}`;
  }

  get requestHeader(): Headers {
    return (this.#requestHeader ??= headersFrom(this.#call.metadata));
  }

  get responseHeader(): Headers {
    return (this.#responseHeader ??= new Headers());
  }

  get responseTrailer(): Headers {
    return (this.#responseTrailer ??= new Headers());
  }

  get values(): ContextValues {
    return (this.#values ??= createContextValues());
  }

  /** The metadata that the handler set, if any. */
  headerMetadata(): Metadata | undefined {
    return this.#responseHeader && metadataFrom(this.#responseHeader);
  }

  trailerMetadata(): Metadata | undefined {
    return this.#responseTrailer && metadataFrom(this.#responseTrailer);
  }

  #cancel(): void {
    if (this.#answered || this.#reason) return;
    const late = this.deadline !== undefined && performance.now() + GRAIN_MS >= this.deadline;
    this.#reason = late
      ? new ConnectError('deadline exceeded', Code.DeadlineExceeded)
      : new ConnectError('cancelled by the client', Code.Canceled);
    this.#abort?.abort(this.#reason);
  }
}
