import type { Conversation, Message } from '@parley/contract/gen/records';
import { ParleyError } from '../errors.ts';
import { pathOf } from '../path.ts';
import { valueOf } from '../records/in-memory.ts';
import { TO_REFETCH, type ToRefetch } from '../records/rows.ts';
import { applyConversationCreated } from './apply/conversation.ts';
import type { Context } from './context.ts';
import { read, readAndApply } from './read.ts';
import { transact } from './transact.ts';

const reading = new WeakSet<Context>();

/** A count may come a moment before the message that it names: it is read only if it does not come by itself. Milliseconds. */
const COMES_WITHIN_MS = 1_000;

/**
 * While there is a connection: reads the objects that packets named and that are still missing after a moment, and the conversations
 * of which the device may have a wrong state. What cannot be read now is read once the next connection is there.
 */
export async function refetchMarked(ctx: Context, epoch: number): Promise<void> {
  if (reading.has(ctx)) return;
  reading.add(ctx);
  try {
    while (ctx.sync.connection.status === 'online' && ctx.records.values.has(TO_REFETCH)) {
      // What may be wrong is shown until it is read.
      if (wantedOf(ctx).every(([, conversation]) => conversation))
        await ctx.waiting.wait(COMES_WITHIN_MS, ctx.ended);
      await readWanted(ctx, epoch);
    }
  } catch (error) {
    ctx.diagnose('not_read', { reason: String(error) });
  } finally {
    reading.delete(ctx);
  }
}

function wantedOf({ records }: Context): ToRefetch {
  return valueOf(records, TO_REFETCH) ?? [];
}

async function readWanted(ctx: Context, epoch: number): Promise<void> {
  for (const [id, conversation] of wantedOf(ctx)) {
    if (!isHere(ctx, id, conversation)) {
      if (!conversation || id === conversation) await readConversation(ctx, epoch, id);
      else await readLastMessage(ctx, epoch, { id, conversation });
    }
    await transact(ctx, epoch, (batch) => {
      const left = (batch.value(TO_REFETCH) ?? []).filter(([one]) => one !== id);
      batch.setValue(TO_REFETCH, left.length > 0 ? left : undefined);
    });
  }
}

function isHere({ records }: Context, id: string, conversation: string): boolean {
  const record = records.conversations.get(conversation);
  return id === conversation ? record !== undefined : record?.last_message?.id === id;
}

async function found<T>(ctx: Context, kind: string, id: string): Promise<T | undefined> {
  try {
    return await read<T>(ctx, pathOf(kind, ctx.wire, id));
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

const GONE: readonly unknown[] = [403, 404, 410];

/** Whether a refusal says that the user may not see an object, or that there is none. */
export function isGone(error: unknown): boolean {
  return error instanceof ParleyError && GONE.includes(error.status) && error.id !== 'invalid_answer';
}

/** Reads a conversation again; one that the user may not see is removed. */
export function readConversation(ctx: Context, epoch: number, id: string): Promise<void> {
  return readAndApply(ctx, epoch, {
    request: () => found<Conversation>(ctx, 'conversations', id),
    apply(batch, conversation) {
      if (conversation) applyConversationCreated(batch, conversation);
      else batch.removeConversation(id);
    },
  });
}

function readLastMessage(
  ctx: Context,
  epoch: number,
  { id, conversation: location }: { id: string; conversation: string },
): Promise<void> {
  return readAndApply(ctx, epoch, {
    request: () => found<Message>(ctx, 'messages', id),
    apply(batch, message) {
      const conversation = batch.conversation(location);
      if (!message || conversation?.last_message_id !== id) return;
      // A later one may have come meanwhile.
      if (message.position < (conversation.last_message?.position ?? 0)) return;
      // In the list it would stand behind a gap if messages before it have not come.
      const counted_to = Math.max(conversation.counted_to, message.position);
      batch.putConversation({ ...conversation, last_message: message, counted_to });
    },
  });
}

/** Reads one message again, with the statuses of all recipients. Of one that is gone, the conversation is read, too. */
export async function readMessage(ctx: Context, epoch: number, id: string): Promise<void> {
  await readAndApply(ctx, epoch, {
    request: () => found<Message>(ctx, 'messages', id),
    async apply(batch, message) {
      await batch.prefetch([id], []);
      if (message) batch.putMessage(message);
      else {
        batch.markForRefetch(batch.message(id)?.conversation.id);
        batch.removeMessage(id);
      }
    },
  });
  void refetchMarked(ctx, epoch);
}
