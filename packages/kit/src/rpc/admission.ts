import { timingSafeEqual } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Metadata } from '@grpc/grpc-js';
import type { CallContext } from './call-context.ts';
import { textOf } from './metadata.ts';

/** Throws Unauthenticated. */
export type Authenticate = (metadata: Metadata) => void;

/** Admits callers that know one of the secrets, compared in constant time. */
export function requireSecret(secrets: readonly string[]): Authenticate {
  const expected = secrets.map((secret) => Buffer.from(`Bearer ${secret}`));
  return (metadata) => {
    const given = Buffer.from(textOf(metadata, 'authorization') ?? '');
    if (expected.some((one) => given.length === one.length && timingSafeEqual(given, one))) return;
    throw new ConnectError('the secret of internal calls is missing or wrong', Code.Unauthenticated);
  };
}

/** Admits every call: for open services, and for servers where TLS has checked the client's certificate. */
export function admitAll(): void {}

/** Throws when the caller is not admitted, has cancelled, or has no time left, so that no work starts. */
export function admit(ctx: CallContext, call: { metadata: Metadata }, authenticate: Authenticate): void {
  // The metadata of a multiplexed call are built on first use.
  if (authenticate !== admitAll) authenticate(call.metadata);
  if (ctx.aborted) throw ctx.aborted;
  if (ctx.deadline !== undefined && ctx.deadline <= performance.now()) {
    throw new ConnectError('deadline exceeded before the call was begun', Code.DeadlineExceeded);
  }
}
