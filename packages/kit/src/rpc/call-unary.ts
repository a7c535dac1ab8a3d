import type {
  DescMessage,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import { Code, ConnectError, type UnaryResponse } from '@connectrpc/connect';
import { Metadata, status } from '@grpc/grpc-js';
import { setTimeout as wait } from 'node:timers/promises';
import { currentContext } from '../runtime/request-context.ts';
import { clientSpan } from '../runtime/telemetry/rpc-spans.ts';
import {
  cancelOn,
  checkBegin,
  createCall,
  deadlineOf,
  isConnected,
  isReachable,
  untilReachable,
  type Caller,
} from './client-call.ts';
import { decode, encode } from './codec.ts';
import { headersFrom, type HeadersInput } from './metadata.ts';
import { isIdempotent } from './idempotency.ts';
import { callMultiplexed, type CallRequest } from './multiplex/call.ts';
import { errorOf } from './status.ts';

export type UnaryCall<I extends DescMessage, O extends DescMessage> = {
  method: DescMethodUnary<I, O>;
  signal: AbortSignal | undefined;
  /** Timeout in milliseconds; 0 or less: none. */
  timeoutMs: number;
  header: HeadersInput;
  input: MessageInitShape<I>;
  /** The preferred server, if the call is multiplexed. */
  server?: string | undefined;
};

type Request = CallRequest & {
  /** Whether the server has sent anything. */
  answered: boolean;
};

type Answer = { bytes: Buffer; header: Metadata | undefined; trailer: Metadata };

export async function callUnary<I extends DescMessage, O extends DescMessage>(
  caller: Caller,
  { method, signal, timeoutMs, header, input, server }: UnaryCall<I, O>,
): Promise<UnaryResponse<I, O>> {
  const signals = [signal, currentContext()?.signal];
  const bytes = encode(method.input, input);
  const deadline = deadlineOf(timeoutMs);
  const answer = await clientSpan(method, (trace) =>
    answerTo(caller, { method, bytes, deadline, signals, header, trace, server, answered: false }),
  );
  return new Response(method, answer);
}

/** Called once, with the error or with the message. It must not throw. */
export type SettleCall<O extends DescMessage> = (
  error: unknown,
  message: MessageShape<O> | undefined,
) => void;

/** Makes a call like `callUnary`, but without a span, and without a promise while it is multiplexed: `settle` gets the answer. */
export function callBack<I extends DescMessage, O extends DescMessage>(
  caller: Caller,
  { method, timeoutMs, input, server }: Omit<UnaryCall<I, O>, 'signal' | 'header'>,
  settle: SettleCall<O>,
): void {
  function end(error: unknown, bytes: Buffer | undefined): void {
    if (!bytes) return settle(error, undefined);
    let message: MessageShape<O>;
    try {
      message = decode(method.output, bytes, Code.Internal);
    } catch (fault) {
      return settle(fault, undefined);
    }
    settle(undefined, message);
  }
  try {
    const request: Request = {
      method,
      bytes: encode(method.input, input),
      deadline: deadlineOf(timeoutMs),
      signals: [currentContext()?.signal],
      header: undefined,
      trace: {},
      server,
      answered: false,
    };
    const alone = (wasSent: boolean): void =>
      void sendWithRetry(caller, request, wasSent).then(
        ({ bytes }) => end(undefined, bytes),
        (error: unknown) => end(error, undefined),
      );
    const isCarried = callMultiplexed(caller, request, (error, bytes) =>
      error === undefined && !bytes ? alone(true) : end(error, bytes),
    );
    if (!isCarried) alone(false);
  } catch (error) {
    settle(error, undefined);
  }
}

/** When the stream that carried a call breaks, or its server could not accept it, the call is repeated individually. */
async function answerTo(caller: Caller, request: Request): Promise<Answer> {
  let isCarried = false;
  const bytes = await new Promise<Buffer | undefined>((resolve, reject) => {
    isCarried = callMultiplexed(caller, request, (error, answer) =>
      error === undefined ? resolve(answer) : reject(error as Error),
    );
    if (!isCarried) resolve(undefined);
  });
  if (bytes) return { bytes, header: undefined, trailer: NO_TRAILER };
  return sendWithRetry(caller, request, isCarried);
}

const NO_TRAILER = new Metadata();

/** `wasSent`: it may already have taken effect. */
async function sendWithRetry(caller: Caller, request: Request, wasSent: boolean): Promise<Answer> {
  if (!isReachable(caller)) await untilReachable(caller, request.deadline);
  const isSent = wasSent || isConnected(caller);
  try {
    return await send(caller, request);
  } catch (error) {
    if (request.answered || !isUnavailable(error) || !isIdempotent(request.method)) throw error;
    caller.log.debug({ error, rpc: request.method.name }, 'RPC failed; retrying once');
  }
  // Meanwhile the channel removes the broken connection from its rotation.
  await wait(10 + Math.random() * 40);
  // A server that was reached before is being restarted.
  if (isSent && !isReachable(caller)) await untilReachable(caller, request.deadline);
  return send(caller, request);
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable;
}

function send(caller: Caller, request: Request): Promise<Answer> {
  checkBegin(request.deadline, request.signals);
  const metadata = caller.metadata(request.header, request.trace);
  return new Promise((resolve, reject) => {
    const call = createCall(caller, request.method, request.deadline);
    const uncouple = cancelOn(call, request.signals);
    let header: Metadata | undefined;
    let bytes: Buffer | undefined;
    call.start(metadata, {
      onReceiveMetadata(received) {
        request.answered = true;
        header = received;
      },
      onReceiveMessage(received: Buffer) {
        bytes = received;
      },
      onReceiveStatus(end) {
        uncouple();
        if (end.code !== status.OK) reject(errorOf(end));
        else if (bytes) resolve({ bytes, header, trailer: end.metadata });
        else reject(new ConnectError('the response is missing', Code.Unimplemented));
      },
    });
    call.startRead();
    call.sendMessageWithContext({}, request.bytes);
    call.halfClose();
  });
}

/** Header and trailer are built on first use, since few callers read them. */
class Response<I extends DescMessage, O extends DescMessage> implements UnaryResponse<I, O> {
  readonly stream = false;
  readonly service: DescService;
  readonly method: DescMethodUnary<I, O>;
  readonly message: MessageShape<O>;
  readonly #answer: Answer;

  constructor(method: DescMethodUnary<I, O>, answer: Answer) {
    this.service = method.parent;
    this.method = method;
    this.message = decode(method.output, answer.bytes, Code.Internal);
    this.#answer = answer;
  }

  get header(): Headers {
    return this.#answer.header ? headersFrom(this.#answer.header) : new Headers();
  }

  get trailer(): Headers {
    return headersFrom(this.#answer.trailer);
  }
}
