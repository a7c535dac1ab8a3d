import type { DescMethod } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Metadata } from '@grpc/grpc-js';
import {
  extract,
  inject,
  inSpan,
  isTracing,
  markFailed,
  openSpan,
  SpanKind,
  withSpan,
  type Attributes,
  type Span,
  type TraceCarrier,
} from './tracing.ts';

/** Names of OpenTelemetry's conventions for gRPC. */
const STATUS_CODE = 'rpc.grpc.status_code';
const OK = 0;

/** The codes by which a server says that the failure is its own; the others are about the request. */
const SERVER_ERRORS: ReadonlySet<Code> = new Set([
  Code.Unknown,
  Code.DeadlineExceeded,
  Code.Unimplemented,
  Code.Internal,
  Code.Unavailable,
  Code.DataLoss,
]);

const NO_TRACE: TraceCarrier = Object.freeze({});

/** Runs the handler of a call in a span. `call.aborted`: why the caller no longer waits. */
export function serverSpan<T>(
  method: DescMethod,
  incoming: { readonly metadata: Metadata },
  call: { readonly aborted: ConnectError | undefined },
  fn: () => Promise<T>,
): Promise<T> {
  if (!isTracing()) return fn();
  const carrier: TraceCarrier = {};
  for (const [key, value] of Object.entries(incoming.metadata.getMap()))
    if (typeof value === 'string') carrier[key] = value;
  const options = {
    kind: SpanKind.SERVER,
    parent: extract(carrier),
    attributes: rpcOf(method),
    failed: (span: Span, error: unknown) => noteServed(span, codeOf(call.aborted ?? error)),
  };
  return inSpan(spanName(method), options, async (span) => {
    const answer = await fn();
    // A call that was aborted is answered with the reason of that.
    if (span) noteServed(span, call.aborted?.code ?? OK);
    return answer;
  });
}

/** Makes a unary call in a span. `fn` gets the entries that carry the trace to the server. */
export function clientSpan<T>(method: DescMethod, fn: (carrier: TraceCarrier) => Promise<T>): Promise<T> {
  if (!isTracing()) return fn(NO_TRACE);
  const options = {
    kind: SpanKind.CLIENT,
    attributes: rpcOf(method),
    failed: (span: Span, error: unknown) => noteCalled(span, codeOf(error)),
  };
  return inSpan(spanName(method), options, async (span) => {
    const answer = await fn(inject({}));
    if (span) noteCalled(span, OK);
    return answer;
  });
}

/** The span of a streaming call, which lasts until the stream has ended. */
export type StreamSpan = {
  /** Entries that carry the trace to the server. */
  readonly carrier: TraceCarrier;
  /** `code`: the status of the call. */
  end(code: number): void;
  fail(error: unknown): void;
};

const NO_SPAN: StreamSpan = Object.freeze({ carrier: NO_TRACE, end: () => undefined, fail: () => undefined });

export function openStreamSpan(method: DescMethod): StreamSpan {
  const span = openSpan(spanName(method), { kind: SpanKind.CLIENT, attributes: rpcOf(method) });
  if (!span) return NO_SPAN;
  function end(code: number): void {
    if (span) noteCalled(span, code);
    span?.end();
  }
  return { carrier: withSpan(span, () => inject({})), end, fail: (error) => end(codeOf(error)) };
}

function noteServed(span: Span, code: number): void {
  span.setAttribute(STATUS_CODE, code);
  if (SERVER_ERRORS.has(code)) markFailed(span, Code[code] ?? String(code));
}

function noteCalled(span: Span, code: number): void {
  span.setAttribute(STATUS_CODE, code);
  if (code !== OK) markFailed(span, Code[code] ?? String(code));
}

/** The status of what a handler or a call threw. An error of another kind is an internal one. */
function codeOf(error: unknown): Code {
  return error instanceof ConnectError ? error.code : Code.Internal;
}

function spanName(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

function rpcOf(method: DescMethod): Attributes {
  return { 'rpc.system': 'grpc', 'rpc.service': method.parent.typeName, 'rpc.method': method.name };
}
