import type { Sql } from '@parley/kit/postgres';
import type { Statement } from '../statement.ts';

/** Adds a conversation to the app's count (1), or removes one (-1). */
export function addConversationCount(appId: string, delta: 1 | -1): Statement {
  return {
    name: 'add_conversation_count',
    text: 'insert into conversation_count (app_id, delta) values ($1::uuid, $2::int8)',
    values: [appId, delta],
  };
}

/** Adds up the deltas of apps that have several. Concurrent readers always see a consistent sum. */
export async function foldConversationCounts(sql: Sql): Promise<void> {
  await sql.execute({
    name: 'fold_conversation_counts',
    text: `
      with folded as (
        delete from conversation_count
        where ctid = any (array(
          select c.ctid from conversation_count c
          where c.app_id in (
            select app_id from conversation_count
            group by app_id having count(*) > 1 order by count(*) desc limit 1000)
          limit 100000
          for update skip locked))
        returning app_id, delta
      )
      insert into conversation_count (app_id, delta) select app_id, sum(delta) from folded group by app_id`,
  });
}
