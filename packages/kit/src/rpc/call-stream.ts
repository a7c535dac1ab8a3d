import type { DescMessage, DescMethodStreaming, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { Code, type StreamResponse } from '@connectrpc/connect';
import { status } from '@grpc/grpc-js';
import { currentContext } from '../runtime/request-context.ts';
import { openStreamSpan } from '../runtime/telemetry/rpc-spans.ts';
import { cancelOn, checkBegin, createCall, type Call, type Caller } from './client-call.ts';
import { decode, encode } from './codec.ts';
import type { HeadersInput } from './metadata.ts';
import { receive, type Incoming } from './incoming.ts';

export type StreamCall<I extends DescMessage, O extends DescMessage> = {
  method: DescMethodStreaming<I, O>;
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
  header: HeadersInput;
  input: AsyncIterable<MessageInitShape<I>>;
};

export async function callStream<I extends DescMessage, O extends DescMessage>(
  caller: Caller,
  { method, signal, timeoutMs, header, input }: StreamCall<I, O>,
): Promise<StreamResponse<I, O>> {
  const signals = [signal, currentContext()?.signal];
  const deadline = timeoutMs && timeoutMs > 0 ? performance.now() + timeoutMs : Infinity;
  const span = openStreamSpan(method);
  try {
    checkBegin(deadline, signals);
    const metadata = caller.metadata(header, span.carrier);
    const call = createCall(caller, method, deadline);
    const uncouple = cancelOn(call, signals);
    const incoming = receive(call, metadata, ({ code }) => {
      uncouple();
      span.end(code);
    });
    void sendAll(call, method.input, input, incoming);
    await incoming.begun;
    return {
      stream: true,
      service: method.parent,
      method,
      header: incoming.header,
      trailer: incoming.trailer,
      message: messages(method.output, incoming),
    };
  } catch (error) {
    span.fail(error);
    throw error;
  }
}

async function* messages<O extends DescMessage>(
  output: O,
  incoming: Incoming,
): AsyncIterable<MessageShape<O>> {
  for await (const bytes of incoming.messages) yield decode(output, bytes, Code.Internal);
}

/** Sends the input. An error of the input cancels the call; the reader then gets Canceled. */
async function sendAll<I extends DescMessage>(
  call: Call,
  schema: I,
  input: AsyncIterable<MessageInitShape<I>>,
  incoming: Incoming,
): Promise<void> {
  try {
    for await (const message of input) {
      const bytes = encode(schema, message);
      const sent = new Promise<void>((resolve) =>
        call.sendMessageWithContext({ callback: () => resolve() }, bytes),
      );
      await Promise.race([sent, incoming.ended]);
      if (incoming.hasEnded()) return;
    }
    call.halfClose();
  } catch (error) {
    call.cancelWithStatus(status.CANCELLED, `the input of the call failed: ${String(error)}`);
  }
}
