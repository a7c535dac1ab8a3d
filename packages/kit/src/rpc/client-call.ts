import type { DescMethod } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { connectivityState, status, type Client, type experimental } from '@grpc/grpc-js';
import type { Logger } from '../runtime/telemetry/log.ts';
import { currentContext } from '../runtime/request-context.ts';
import type { MetadataSource } from './client-metadata.ts';
import type { Multiplexing } from './multiplex/multiplexing.ts';
import { toWallTime } from './wall-time.ts';

/** The parts shared by all calls of a channel. */
export type Caller = {
  readonly channel: ReturnType<Client['getChannel']>;
  readonly metadata: MetadataSource;
  readonly log: Logger;
  readonly multiplexing?: Multiplexing | undefined;
};

export type Call = experimental.CallStream;

/** Deadline of a unary call, by `performance.now()`. `timeoutMs` 0 or less: no deadline of its own. */
export function deadlineOf(timeoutMs: number): number {
  const own = timeoutMs <= 0 ? Infinity : timeoutMs;
  return Math.min(performance.now() + own, currentContext()?.deadline ?? Infinity);
}

export function createCall(caller: Caller, method: DescMethod, deadline: number): Call {
  return caller.channel.createCall(pathOf(method), toWallTime(deadline), null, null, null);
}

export function pathOf({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`;
}

/** Cancels the call when one of the signals aborts, until the returned function is called. */
export function cancelOn(call: Call, signals: readonly (AbortSignal | undefined)[]): () => void {
  return onAbort(signals, () => call.cancelWithStatus(status.CANCELLED, 'cancelled by the caller'));
}

/** Listens to all of the signals, until the returned function is called. */
export function onAbort(signals: readonly (AbortSignal | undefined)[], listener: () => void): () => void {
  for (const signal of signals) signal?.addEventListener('abort', listener);
  return () => {
    for (const signal of signals) signal?.removeEventListener('abort', listener);
  };
}

/** Throws when the call is cancelled or past its deadline before it begins. */
export function checkBegin(deadline: number, signals: readonly (AbortSignal | undefined)[]): void {
  for (const signal of signals) if (signal?.aborted) throw ConnectError.from(signal.reason, Code.Canceled);
  if (deadline <= performance.now()) throw new ConnectError('deadline exceeded', Code.DeadlineExceeded);
}

/** How long a call waits for an unreachable server: about the time a restart takes. Milliseconds. */
const RESTART_MS = 2_500;

/** Resolves when a server is reachable, or after a time limit. For calls that were not sent, or may be repeated. */
export async function untilReachable({ channel }: Caller, deadline: number): Promise<void> {
  const end = Math.min(deadline, performance.now() + RESTART_MS);
  let state = channel.getConnectivityState(true);
  while (state !== connectivityState.READY && performance.now() < end) {
    const seen = state;
    await new Promise<void>((resolve) =>
      channel.watchConnectivityState(seen, toWallTime(end), () => resolve()),
    );
    state = channel.getConnectivityState(true);
  }
}

export function isReachable({ channel }: Caller): boolean {
  return channel.getConnectivityState(false) !== connectivityState.TRANSIENT_FAILURE;
}

export function isConnected({ channel }: Caller): boolean {
  return channel.getConnectivityState(false) === connectivityState.READY;
}
