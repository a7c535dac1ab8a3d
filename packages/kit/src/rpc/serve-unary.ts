import { Code, type MethodImplSpec } from '@connectrpc/connect';
import type { handleUnaryCall, sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import { contain } from '../contain.ts';
import { runInContext } from '../request-context.ts';
import { serverSpan } from '../telemetry/tracing.ts';
import { admit } from './admission.ts';
import { CallContext } from './call-context.ts';
import { decode, encode } from './codec.ts';
import { failureOf } from './failure.ts';
import type { MountOptions } from './mount.ts';
import { statusOf } from './status.ts';

export type UnarySpec = Extract<MethodImplSpec, { kind: 'unary' }>;

export function serveUnary(spec: UnarySpec, options: MountOptions): handleUnaryCall<Buffer, Buffer> {
  return (call, respond) => {
    const started = performance.now();
    const ctx = new CallContext(spec.method, call);
    const end = (code: string) => options.observe(spec.method, code, (performance.now() - started) / 1000);
    const work = () => serverSpan(spec.method, call.metadata, () => answer(spec, options, call, ctx));
    const respondLater = () =>
      runInContext(ctx, () =>
        work().then(
          (bytes) => {
            succeed(call, ctx, respond, bytes);
            end('OK');
          },
          (error: unknown) => {
            const failure = failureOf(error, ctx, options.log);
            ctx.markAnswered();
            respond(statusOf(failure));
            end(Code[failure.code]);
          },
        ),
      );
    contain(respondLater, (error) => {
      options.log.error({ error, rpc: spec.method.name }, 'failed to answer RPC');
    });
  };
}

type Call = ServerUnaryCall<Buffer, Buffer>;

async function answer(spec: UnarySpec, options: MountOptions, call: Call, ctx: CallContext): Promise<Buffer> {
  admit(ctx, call.metadata, options.authenticate);
  const response = await spec.impl(decode(spec.method.input, call.request, Code.InvalidArgument), ctx);
  return encode(spec.method.output, response);
}

function succeed(call: Call, ctx: CallContext, respond: sendUnaryData<Buffer>, bytes: Buffer): void {
  ctx.markAnswered();
  const header = ctx.headerMetadata();
  if (header) call.sendMetadata(header);
  respond(null, bytes, ctx.trailerMetadata());
}
