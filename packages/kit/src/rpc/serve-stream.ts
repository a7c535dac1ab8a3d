import { once } from 'node:events';
import { Code, ConnectError, type MethodImplSpec } from '@connectrpc/connect';
import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import type { MessageInitShape, MessageShape, DescMessage } from '@bufbuild/protobuf';
import { guardListener } from '../runtime/guard-listener.ts';
import { runInContext } from '../runtime/request-context.ts';
import { serverSpan } from '../runtime/telemetry/rpc-spans.ts';
import { admit } from './admission.ts';
import { CallContext } from './call-context.ts';
import { decode, encode } from './codec.ts';
import { failureOf } from './failure.ts';
import type { MountOptions } from './mount.ts';
import { statusOf } from './status.ts';

export type StreamSpec = Exclude<MethodImplSpec, { kind: 'unary' }>;
type Call = ServerDuplexStream<Buffer, Buffer>;

/** Serves all three kinds of streaming, which are identical on the wire: any number of messages each way. */
export function serveStream(
  spec: StreamSpec,
  options: MountOptions,
): handleBidiStreamingCall<Buffer, Buffer> {
  return (call) => {
    const started = performance.now();
    const ctx = new CallContext(spec.method, call);
    const end = (code: string) => options.observe(spec.method, code, (performance.now() - started) / 1000);
    const work = () => serverSpan(spec.method, call, ctx, () => answer(spec, options, call, ctx));
    const respondLater = () =>
      runInContext(ctx, () =>
        work().then(
          () => {
            ctx.markAnswered();
            call.end(ctx.trailerMetadata());
            end('OK');
          },
          (error: unknown) => {
            const failure = failureOf(error, ctx, options.log);
            ctx.markAnswered();
            call.emit('error', statusOf(failure));
            end(Code[failure.code]);
          },
        ),
      );
    guardListener(respondLater, (error) => {
      options.log.error({ error, rpc: spec.method.name }, 'failed to answer RPC');
    });
  };
}

async function answer(spec: StreamSpec, options: MountOptions, call: Call, ctx: CallContext): Promise<void> {
  admit(ctx, call, options.authenticate);
  for await (const response of invoke(spec, requestsOf(spec.method.input, call), ctx)) {
    sendHeader(call, ctx);
    if (ctx.aborted) throw ctx.aborted;
    if (!call.write(encode(spec.method.output, response))) await writable(call, ctx);
  }
  sendHeader(call, ctx);
}

type Requests = AsyncIterable<MessageShape<DescMessage>>;
type Responses = AsyncIterable<MessageInitShape<DescMessage>>;

async function* invoke(spec: StreamSpec, requests: Requests, ctx: CallContext): Responses {
  if (spec.kind === 'bidi_streaming') return yield* spec.impl(requests, ctx);
  if (spec.kind === 'client_streaming') return yield await spec.impl(requests, ctx);
  return yield* spec.impl(await onlyOne(requests), ctx);
}

async function onlyOne(requests: Requests): Promise<MessageShape<DescMessage>> {
  for await (const request of requests) return request;
  throw new ConnectError('the request is missing', Code.Unimplemented);
}

async function* requestsOf(input: DescMessage, call: Call): Requests {
  for await (const bytes of call.iterator({ destroyOnReturn: false }))
    yield decode(input, bytes as Buffer, Code.InvalidArgument);
}

function sendHeader(call: Call, ctx: CallContext): void {
  const header = ctx.headerMetadata();
  if (header) call.sendMetadata(header);
}

async function writable(call: Call, ctx: CallContext): Promise<void> {
  await once(call, 'drain', { signal: ctx.signal });
}
