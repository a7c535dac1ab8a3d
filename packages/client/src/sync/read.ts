import { creates, type Change, type Message, type Packet } from '../records/records.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import { applyChange, messageOfPart, neededFor } from './apply/change.ts';
import type { Context } from './context.ts';
import { post } from './post.ts';
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
  const message = newMessage(ctx, batch, packet.change);
  if (message) {
    batch.afterWrite.push(() => {
      post(ctx, { kind: 'arrived', message });
      ctx.arrived(message);
    });
  }
  applyChange(batch, packet, ctx.me);
  ctx.listener.applied(ctx, batch, packet.change);
}

/** By conversation, while the client lives: the position of the newest message that a packet of its own has brought. */
const newest = new WeakMap<Context, Map<string, number>>();

/** The message of another user that a packet brings for the first time. A conversation that comes as a whole may name later ones. */
function newMessage(ctx: Context, batch: WriteBatch, change: Change): Message | undefined {
  const positions = newest.get(ctx) ?? new Map<string, number>();
  newest.set(ctx, positions);
  const id = creates(change, 'Message') ? change.data.conversation.id : change.object.id;
  if (!creates(change, 'Message') && !creates(change, 'Conversation')) return undefined;
  const before = positions.get(id) ?? batch.conversation(id)?.last_message?.position ?? 0;
  const message = creates(change, 'Message') ? change.data : undefined;
  positions.set(id, Math.max(before, message?.position ?? 0));
  const isNew = message?.is_unread && message.position > before && message.sender?.id !== ctx.me;
  return isNew ? message : undefined;
}

/** Whether a change concerns an object; a message's changes count for its parts too. */
export function concerns({ object }: Change, id: string): boolean {
  return object.id === id || (object.type === 'MessagePart' && messageOfPart(object.id) === id);
}
