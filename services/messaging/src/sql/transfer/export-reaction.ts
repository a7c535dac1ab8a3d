import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { mayHold } from '../conversation/side-tables.ts';
import { column } from '../statement.ts';
import type { MessageRange } from './export-message.ts';

/** The reactions to a message with one key, with all users. `number`: the place of the range, from 1. */
export type ExportedReactionRow = {
  number: number;
  position: number;
  key: string;
  count: number;
  recent: string[];
  /** In the order of their reactions. */
  user_ids: string[];
};

/** The reactions to messages in ranges. Of conversations without any, no other table is read. */
export function listExportedReactions(
  sql: Sql,
  appId: string,
  spans: readonly MessageRange[],
): Promise<ExportedReactionRow[]> {
  return sql.query<ExportedReactionRow>({
    name: 'list_exported_reactions',
    text: `
      select span.number::int4 as number, c.position, c.key, c.count, c.recent,
        array(
          select r.user_id from reaction r
          where r.app_id = $1 and r.conversation_id = c.conversation_id and r.position = c.position and r.key = c.key
          order by r.id) as user_ids
      from unnest($2::uuid[], $3::int8[], $4::int8[]) with ordinality as span (conversation_id, first, last, number)
      join ${lookUp('conversation', 'cv', 'cv.app_id = $1 and cv.id = span.conversation_id')} on ${mayHold('cv', 'reactions')}
      join reaction_count c on c.app_id = $1 and c.conversation_id = span.conversation_id
        and c.position between span.first and span.last
      order by span.number, c.position, c.first_id`,
    values: [appId, column(spans, 'conversationId'), column(spans, 'first'), column(spans, 'last')],
  });
}
