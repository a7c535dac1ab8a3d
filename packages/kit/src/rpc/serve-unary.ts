import { Code, type MethodImplSpec } from '@connectrpc/connect';
import type { handleUnaryCall } from '@grpc/grpc-js';
import { guardListener } from '../runtime/guard-listener.ts';
import { runInContext } from '../runtime/request-context.ts';
import { serverSpan } from '../runtime/telemetry/rpc-spans.ts';
import { admit } from './admission.ts';
import { CallContext, type IncomingCall } from './call-context.ts';
import { decode, encode } from './codec.ts';
import { failureOf } from './failure.ts';
import type { MountOptions } from './mount.ts';
import { statusOf, type Status } from './status.ts';

export type UnarySpec = Extract<MethodImplSpec, { kind: 'unary' }>;

/** A unary call, made individually or over a multiplexing stream. */
export type IncomingUnaryCall = IncomingCall & { readonly request: Buffer };

/** Sends the answer. */
export type Settle = {
  succeed(bytes: Buffer, ctx: CallContext): void;
  fail(status: Status): void;
};

export function serveUnary(spec: UnarySpec, options: MountOptions): handleUnaryCall<Buffer, Buffer> {
  return (call, respond) =>
    answerUnary(spec, options, call, {
      succeed(bytes, ctx) {
        const header = ctx.headerMetadata();
        if (header) call.sendMetadata(header);
        respond(null, bytes, ctx.trailerMetadata());
      },
      fail: respond,
    });
}

/** Runs the handler in the request context of the call, and settles the call once. */
export function answerUnary(
  spec: UnarySpec,
  options: MountOptions,
  call: IncomingUnaryCall,
  settle: Settle,
): void {
  const started = performance.now();
  const ctx = new CallContext(spec.method, call);
  const end = (code: string) => options.observe(spec.method, code, (performance.now() - started) / 1000);
  const work = () => serverSpan(spec.method, call, ctx, () => answer(spec, options, call, ctx));
  const respondLater = () =>
    runInContext(ctx, () =>
      work().then(
        (bytes) => {
          ctx.markAnswered();
          settle.succeed(bytes, ctx);
          end('OK');
        },
        (error: unknown) => {
          const failure = failureOf(error, ctx, options.log);
          ctx.markAnswered();
          settle.fail(statusOf(failure));
          end(Code[failure.code]);
        },
      ),
    );
  guardListener(respondLater, (error) => {
    options.log.error({ error, rpc: spec.method.name }, 'failed to answer RPC');
  });
}

async function answer(
  spec: UnarySpec,
  options: MountOptions,
  call: IncomingUnaryCall,
  ctx: CallContext,
): Promise<Buffer> {
  admit(ctx, call, options.authenticate);
  const response = await spec.impl(decode(spec.method.input, call.request, Code.InvalidArgument), ctx);
  return encode(spec.method.output, response);
}
