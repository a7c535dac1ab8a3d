import type { Change, Packet } from '../records/records.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import { applyChange, messageOfPart, neededFor } from './apply/change.ts';
import type { Context } from './context.ts';
import { transact } from './transact.ts';

type Reading<T, R> = {
  /** Below the platform's address, or how to read it. */
  readonly request: string | (() => Promise<T>);
  readonly apply: (batch: WriteBatch, answer: T) => R | Promise<R>;
};

/** Reads something by REST. `T`: its type by the protocol. */
export async function read<T>({ session, ended }: Context, path: string): Promise<T> {
  return (await session.send<T>({ method: 'GET', path, signal: ended })).body;
}

/**
 * Reads something by REST and applies it: the answer first, then once more the packets that came since it was asked for. Nothing is
 * applied if this client has ceased to lead meanwhile.
 */
export async function readAndApply<T, R>(
  ctx: Context,
  epoch: number,
  { request, apply }: Reading<T, R>,
): Promise<R> {
  const reading = ctx.packetsDuringRequest.begin();
  try {
    const answer = typeof request === 'string' ? await read<T>(ctx, request) : await request();
    return await transact(ctx, epoch, async (batch) => {
      const result = await apply(batch, answer);
      await reapply(ctx, batch, reading.since());
      return result;
    });
  } finally {
    reading.end();
  }
}

/** Applies packets again on top of an answer. */
export async function reapply(ctx: Context, batch: WriteBatch, packets: readonly Packet[]): Promise<void> {
  if (packets.length === 0) return;
  await prefetch(batch, packets);
  for (const packet of packets) applyPacket(ctx, batch, packet);
}

/** Reads what has to be in memory before packets are applied. */
export async function prefetch(batch: WriteBatch, packets: readonly Packet[]): Promise<void> {
  const { messages, conversations } = neededFor(packets.map(({ change }) => change));
  await batch.prefetch(messages, conversations);
}

/** Applies a packet, and reports it. */
export function applyPacket(ctx: Context, batch: WriteBatch, packet: Packet): void {
  applyChange(batch, packet, ctx.me);
  ctx.listener.applied(ctx, batch, packet.change);
}

/** Whether a change concerns an object; a message's changes count for its parts too. */
export function concerns({ object }: Change, id: string): boolean {
  return object.id === id || (object.type === 'MessagePart' && messageOfPart(object.id) === id);
}
