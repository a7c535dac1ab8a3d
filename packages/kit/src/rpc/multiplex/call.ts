import type { DescMethod } from '@bufbuild/protobuf';
import type { TraceCarrier } from '../../runtime/telemetry/tracing.ts';
import { checkBegin, pathOf, type Caller } from '../client-call.ts';
import { headersOfCall } from '../client-metadata.ts';
import type { HeadersInput } from '../metadata.ts';
import { carry, MAX_REQUEST_BYTES, type SettleCarried } from './stream.ts';

/** A unary call that is about to be made. `deadline`: by `performance.now()`; Infinity: none. */
export type CallRequest = {
  method: DescMethod;
  bytes: Buffer;
  deadline: number;
  signals: readonly (AbortSignal | undefined)[];
  header: HeadersInput;
  trace: TraceCarrier;
  /** The preferred server, if the call is multiplexed. */
  server: string | undefined;
};

/**
 * Makes a call over a multiplexing stream of the channel. False: it must be made individually; the same holds when `settle` gets neither an
 * error nor an answer, and then the call may have taken effect already. Calls without a deadline, with headers of their own, or with large
 * requests are never multiplexed. Throws when the call is over before it begins.
 */
export function callMultiplexed(
  { multiplexing }: Caller,
  { method, bytes, deadline, signals, header, trace, server }: CallRequest,
  settle: SettleCarried,
): boolean {
  if (header || deadline === Infinity || bytes.length > MAX_REQUEST_BYTES) return false;
  const stream = multiplexing?.linksOf(method)?.pick(server);
  if (!stream) return false;
  checkBegin(deadline, signals);
  carry(stream, { path: pathOf(method), bytes, deadline, signals, headers: headersOfCall(trace) }, settle);
  return true;
}
