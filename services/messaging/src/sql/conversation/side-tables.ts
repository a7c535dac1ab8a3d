import type { Sql } from '@parley/kit/postgres';
import type { ConversationRow } from './conversation.ts';

/** Bits of `conversation.side_tables`: which tables may hold something of a conversation, so that those of others are not read. */
export const SIDE_TABLES = { reactions: 1, restrictions: 2, shadow: 256 } as const;

export type SideTable = keyof typeof SIDE_TABLES;

/** The column of a row that was read with it. */
export type WithSideTables = { side_tables: number };

export function hasSideTable({ side_tables }: WithSideTables, table: SideTable): boolean {
  return (side_tables & SIDE_TABLES[table]) !== 0;
}

/** SQL of whether the table may hold something of conversation `alias`. */
export function mayHold(alias: string, table: SideTable): string {
  return `${alias}.side_tables & ${SIDE_TABLES[table]} <> 0`;
}

/** Marks a locked conversation that is about to be written with its state. A mark is never taken away. */
export function addSideTable(conversation: WithSideTables, table: SideTable): void {
  conversation.side_tables |= SIDE_TABLES[table];
}

/** Marks a locked conversation before the first row of a table is written. A mark is never taken away. */
export async function markSideTable(
  sql: Sql,
  conversation: ConversationRow,
  table: SideTable,
): Promise<void> {
  if (hasSideTable(conversation, table)) return;
  conversation.side_tables |= SIDE_TABLES[table];
  await sql.execute({
    name: 'mark_side_table',
    text: 'update conversation set side_tables = side_tables | $3::int4 where app_id = $1 and id = $2',
    values: [conversation.app_id, conversation.id, SIDE_TABLES[table]],
  });
}
