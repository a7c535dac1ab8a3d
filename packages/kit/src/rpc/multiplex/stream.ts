import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { status, type Client as GrpcClient, type Metadata, type StatusObject } from '@grpc/grpc-js';
import {
  MultiplexRequestSchema,
  MultiplexResponseSchema,
  type MultiplexResponse,
} from '@parley/proto/parley/rpc/v1/multiplex_service_pb';
import { ShortLivedMap } from '../../runtime/short-lived-map.ts';
import { startDeadline } from '../../runtime/clock/deadline.ts';
import { startTimeout } from '../../runtime/clock/index.ts';
import { onAbort, type Call } from '../client-call.ts';
import { decode, encode } from '../codec.ts';
import { metadataFrom } from '../metadata.ts';
import { errorOf } from '../status.ts';
import { MULTIPLEX_PATH } from './path.ts';

/** A unary call to be multiplexed. `deadline`: by `performance.now()`, finite. */
export type CarriedRequest = {
  path: string;
  bytes: Buffer;
  deadline: number;
  signals: readonly (AbortSignal | undefined)[];
  headers: Record<string, string>;
};

/** An answer; undefined: it is unknown whether the call took effect, or the server could not accept it. */
export type CarriedAnswer = Buffer | undefined;

/** Called once, with the error or with the answer. It must not throw. */
export type SettleCarried = (error: unknown, answer: CarriedAnswer) => void;

/** One multiplexing stream, on its own connection. When it ends, another is opened. */
export type Stream = {
  readonly grpc: GrpcClient;
  readonly call: Call;
  /** `open` streams accept calls; `retired` ones only wait for answers. */
  phase: 'opening' | 'open' | 'retired' | 'ended';
  readonly underWay: ShortLivedMap<number, Carried>;
  bytesUnderWay: number;
  lastNumber: number;
  /** Whether a call's deadline has passed without any answer since. */
  isSilent: boolean;
  readonly events: StreamEvents;
};

export type StreamEvents = {
  onOpen(): void;
  /** The server drains: the stream is retired. */
  onDraining(): void;
  onEnd(status: StatusObject): void;
};

type Carried = {
  readonly size: number;
  /** Clears the timer and the signals' listeners. */
  readonly release: () => void;
  readonly settle: SettleCarried;
};

/** Most concurrent calls of one stream; further calls are made individually. */
const MAX_UNDER_WAY = { calls: 64, bytes: 4 * 1024 * 1024 };

/** A larger request is sent as a separate call, so that it does not delay others. Bytes. */
export const MAX_REQUEST_BYTES = 1_250_000;

/** How long a stream may take to end after its last answer. Milliseconds. */
const END_MS = 5_000;

/** Opens a stream; it accepts calls from `onOpen` on. */
export function openStream(grpc: GrpcClient, metadata: Metadata, events: StreamEvents): Stream {
  const call = grpc.getChannel().createCall(MULTIPLEX_PATH, Infinity, null, null, null) as Call;
  const stream: Stream = {
    grpc,
    call,
    phase: 'opening',
    underWay: new ShortLivedMap(),
    bytesUnderWay: 0,
    lastNumber: 0,
    isSilent: false,
    events,
  };
  call.start(metadata, {
    onReceiveMetadata() {
      if (stream.phase !== 'opening') return;
      stream.phase = 'open';
      events.onOpen();
    },
    onReceiveMessage(bytes: Buffer) {
      call.startRead();
      receive(stream, bytes);
    },
    onReceiveStatus: (end) => finish(stream, end),
  });
  call.startRead();
  return stream;
}

export function hasRoom({ phase, underWay, bytesUnderWay }: Stream): boolean {
  return phase === 'open' && underWay.size < MAX_UNDER_WAY.calls && bytesUnderWay < MAX_UNDER_WAY.bytes;
}

/** Makes a call. The stream must have room. Errors: the call's; DeadlineExceeded; Canceled, by a signal. */
export function carry(
  stream: Stream,
  { path, bytes, deadline, signals, headers }: CarriedRequest,
  settleCall: SettleCarried,
): void {
  const number = (stream.lastNumber += 1);
  const timeoutMs = deadline - performance.now();
  const fail = (message: string, code: Code) =>
    settle(stream, number)?.settle(new ConnectError(message, code), undefined);
  const cancelTimer = startDeadline(timeoutMs, () => {
    stream.isSilent = true;
    fail('deadline exceeded', Code.DeadlineExceeded);
  });
  const uncouple = onAbort(signals, () => {
    send(stream, { number, cancelled: true });
    fail('cancelled by the caller', Code.Canceled);
  });
  const release = () => {
    cancelTimer();
    uncouple();
  };
  stream.underWay.set(number, { size: bytes.length, release, settle: settleCall });
  stream.bytesUnderWay += bytes.length;
  try {
    send(stream, { number, path, message: bytes, timeoutMs, headers });
  } catch (error) {
    // The caller gets the error, and no further callback.
    settle(stream, number);
    throw error;
  }
}

function send({ call, phase }: Stream, request: MessageInitShape<typeof MultiplexRequestSchema>): void {
  if (phase !== 'ended') call.sendMessageWithContext({}, encode(MultiplexRequestSchema, request));
}

/** Assigns no further calls to the stream, and ends it once pending calls are answered. */
export function retire(stream: Stream): void {
  if (stream.phase === 'opening') return cancel(stream);
  if (stream.phase !== 'open') return;
  stream.phase = 'retired';
  endWhenIdle(stream);
}

/** Ends the stream at once. The outcome of pending calls is then unknown. */
export function cancel({ call }: Stream): void {
  call.cancelWithStatus(status.CANCELLED, 'the client ends the stream');
}

function receive(stream: Stream, bytes: Buffer): void {
  let response: MultiplexResponse;
  try {
    response = decode(MultiplexResponseSchema, bytes, Code.Internal);
  } catch {
    return cancel(stream);
  }
  stream.isSilent = false;
  const { number, outcome } = response;
  if (outcome.case === 'draining') {
    if (stream.phase === 'open') stream.events.onDraining();
    return;
  }
  const carried = settle(stream, number);
  if (!carried) return;
  if (outcome.case === 'message') {
    const { buffer, byteOffset, byteLength } = outcome.value;
    carried.settle(undefined, Buffer.from(buffer, byteOffset, byteLength));
  } else if (outcome.case === 'failure') settleFailure(carried, outcome.value);
  else
    carried.settle(new ConnectError('the answer of a multiplexed call is missing', Code.Internal), undefined);
}

type Failure = { code: number; details: string; trailers: Record<string, string> };

// Another server may accept the call if this one could not accept it now or does not know it.
function settleFailure(carried: Carried, { code, details, trailers }: Failure): void {
  const isElsewhere = code === Number(status.UNAVAILABLE) || code === Number(status.UNIMPLEMENTED);
  if (isElsewhere) return carried.settle(undefined, undefined);
  carried.settle(errorOf({ code, details, metadata: metadataFrom(new Headers(trailers)) }), undefined);
}

/** Removes a pending call. */
function settle(stream: Stream, number: number): Carried | undefined {
  const carried = stream.underWay.delete(number);
  if (!carried) return undefined;
  carried.release();
  stream.bytesUnderWay -= carried.size;
  endWhenIdle(stream);
  return carried;
}

function endWhenIdle(stream: Stream): void {
  if (stream.phase !== 'retired' || stream.underWay.size > 0) return;
  stream.call.halfClose();
  startTimeout(END_MS, () => cancel(stream));
}

function finish(stream: Stream, end: StatusObject): void {
  if (stream.phase === 'ended') return;
  stream.phase = 'ended';
  stream.grpc.close();
  for (const number of stream.underWay.keys()) settle(stream, number)?.settle(undefined, undefined);
  stream.events.onEnd(end);
}
