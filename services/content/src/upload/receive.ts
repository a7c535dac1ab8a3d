import { ConnectError } from '@connectrpc/connect';
import { fail } from '@parley/domain/problems';
import type { Context } from '../context.ts';
import type { Lease } from '../sql/upload-lease.ts';
import { keepLease } from './lease.ts';
import type { Writer } from './writer.ts';

export type IncomingBytes = {
  /** Offset of the first byte of the body; at most the number of bytes that are stored. */
  start: number;
  /** Offset after the last byte that the body may have. */
  end: number;
  body: AsyncIterable<Uint8Array>;
};

/**
 * Stores a body, skipping bytes that are stored already. However the body ends, the bytes received so far are committed,
 * except for the last piece of a body that is longer than announced. Problems: invalid_request, conflict,
 * service_unavailable.
 */
async function receive(ctx: Context, writer: Writer, { start, end, body }: IncomingBytes): Promise<void> {
  let toSkip = writer.stored - start;
  let at = start;
  try {
    for await (const chunk of body) {
      at += chunk.length;
      if (at > end) fail('invalid_request', { message: 'The body has more bytes than were announced.' });
      const skipped = Math.min(toSkip, chunk.length);
      toSkip -= skipped;
      if (skipped < chunk.length) await writer.add(chunk.subarray(skipped));
      if (ctx.stopping.signal.aborted) break;
    }
  } catch (error) {
    if (!(error instanceof ConnectError)) await writer.flush();
    throw error;
  }
  await writer.flush();
  if (ctx.stopping.signal.aborted && at < end) fail('service_unavailable', { retryAfterSeconds: 1 });
}

/** Receives bytes under a lease, which is renewed while bytes arrive from the client or go to the store. */
export async function receiveWithLease(
  ctx: Context,
  lease: Lease,
  writer: Writer,
  incoming: IncomingBytes,
): Promise<void> {
  let moved = true;
  const leaseKeeper = keepLease(ctx, lease, () => {
    const isAlive = moved || writer.isStoring;
    moved = false;
    return isAlive;
  });
  async function* watchedBody(): AsyncGenerator<Uint8Array> {
    for await (const chunk of incoming.body) {
      moved = true;
      yield chunk;
    }
  }
  try {
    await receive(ctx, writer, { ...incoming, body: watchedBody() });
  } finally {
    leaseKeeper.stop();
  }
}
