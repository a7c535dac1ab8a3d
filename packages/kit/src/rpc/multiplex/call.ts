import type { DescMethod } from '@bufbuild/protobuf';
import type { TraceCarrier } from '../../runtime/telemetry/tracing.ts';
import { checkBegin, pathOf, type Caller } from '../client-call.ts';
import { headersOfCall } from '../client-metadata.ts';
import type { HeadersInput } from '../metadata.ts';
import { carry, MAX_REQUEST_BYTES, type CarriedAnswer } from './stream.ts';

/** A unary call that is about to be made. `deadline`: by `performance.now()`; Infinity: none. */
export type CallRequest = {
  method: DescMethod;
  bytes: Buffer;
  deadline: number;
  signals: readonly (AbortSignal | undefined)[];
  header: HeadersInput;
  trace: TraceCarrier;
  /** The server that should get it, if it is multiplexed. */
  server: string | undefined;
};

/**
 * Makes a call over a multiplexing stream of the channel. Undefined: it has to be made by itself, and may have taken effect
 * already. Calls that have no deadline, have headers of their own or are large are never multiplexed.
 */
export function callMultiplexed(
  { multiplexing }: Caller,
  { method, bytes, deadline, signals, header, trace, server }: CallRequest,
): Promise<CarriedAnswer> | undefined {
  if (header || deadline === Infinity || bytes.length > MAX_REQUEST_BYTES) return undefined;
  const stream = multiplexing?.linksOf(method)?.pick(server);
  if (!stream) return undefined;
  checkBegin(deadline, signals);
  return carry(stream, { path: pathOf(method), bytes, deadline, signals, headers: headersOfCall(trace) });
}
