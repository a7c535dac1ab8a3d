import { create } from '@parley/codec';
import type { Sql } from '@parley/kit/postgres';
import { MessageReactionSchema, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { hasSideTable, type WithSideTables } from '../sql/conversation/side-tables.ts';
import { listSeenReactions } from '../sql/message/reaction-count.ts';

/** The user who reads; an empty user id stands for a server. */
export type ReactionReader = { appId: string; userId: string };

/** A message, and the last change whose reactions its reader sees, that by which they left; null: all. */
export type ReactedMessage = { message: Message; untilSeq: number | null };

type Shown = {
  /** The conversation of all of the messages, with the mark of its side tables. */
  conversation: WithSideTables;
  messages: readonly Message[];
  untilSeq?: number | null;
};

/** Adds their reactions to messages of one conversation. Of most conversations nothing is read. */
export async function attachReactions(
  sql: Sql,
  reader: ReactionReader,
  { conversation, messages, untilSeq = null }: Shown,
): Promise<void> {
  if (!hasSideTable(conversation, 'reactions')) return;
  await attachAll(
    sql,
    reader,
    messages.map((message) => ({ message, untilSeq })),
  );
}

/** Adds their reactions to messages of conversations that have any. */
export async function attachAll(
  sql: Sql,
  reader: ReactionReader,
  reacted: readonly ReactedMessage[],
): Promise<void> {
  if (reacted.length === 0) return;
  const places = reacted.map(({ message: { conversationId, position }, untilSeq }) => {
    return { conversationId, position, untilSeq };
  });
  const rows = await listSeenReactions(sql, reader, places);
  const byMessage = Map.groupBy(rows, (row) => `${row.conversation_id}/${row.position}`);
  for (const { message } of reacted) {
    const own = byMessage.get(`${message.conversationId}/${message.position}`) ?? [];
    message.reactions = own.map(({ key, count, recent, own: isOwn }) =>
      create(MessageReactionSchema, { key, count, recent, own: isOwn }),
    );
  }
}
