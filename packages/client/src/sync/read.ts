import type { Conversation, Message } from '@parley/contract/gen/records';
import { applyChange, messageOfPart, neededFor } from './apply/change.ts';
import type { Context } from './context.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import type { Change, Packet } from '../records/records.ts';
import { transact } from './transact.ts';

type Reading<T, R> = {
  readonly request: () => Promise<T>;
  readonly apply: (batch: WriteBatch, answer: T) => R | Promise<R>;
};

/**
 * Reads something by REST and applies it: the answer first, then once more what came since it was asked for. Nothing is
 * applied if this client has ceased to lead meanwhile.
 */
export async function readAndApply<T, R>(
  ctx: Context,
  epoch: number,
  { request, apply }: Reading<T, R>,
): Promise<R> {
  const reading = ctx.packetsDuringRequest.begin();
  try {
    const answer = await request();
    return await transact(
      ctx,
      async (batch) => {
        const result = await apply(batch, answer);
        await reapply(ctx, batch, reading.since());
        return result;
      },
      { epoch },
    );
  } finally {
    reading.end();
  }
}

/** Applies packets again on top of an answer. */
export async function reapply(ctx: Context, batch: WriteBatch, packets: readonly Packet[]): Promise<void> {
  if (packets.length === 0) return;
  const needed = neededFor(packets.map(({ change }) => change));
  await batch.prefetch(needed.messages, needed.conversations);
  for (const packet of packets) applyChange(batch, packet, ctx.me);
}

/** Whether a packet concerns an object; a message's packets count for its parts too. */
export function concerns({ change }: Packet, id: string): boolean {
  return (
    change.object.id === id ||
    (change.object.type === 'MessagePart' && messageOfPart(change.object.id) === id)
  );
}

export type { Change, Conversation, Message };
