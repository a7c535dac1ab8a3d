import type { Sql } from '@parley/kit/postgres';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';

/** Activity of an application in some minutes; the nil uuid stands for the whole platform. */
export type AppActivity = { app_id: string; messages: number; requests: number; deliveries: number };

/** Times in milliseconds since the epoch, `to` exclusive. */
type Span = { from: number; to: number };

/** The sums of the platform, and of the `count` applications with the most messages, requests or deliveries. */
export function listBusiestApps(sql: Sql, { from, to }: Span, count: number): Promise<AppActivity[]> {
  return sql.query<AppActivity>({
    name: 'list_loud_apps',
    text: `
      with active as (
        select app_id, sum(messages)::float8 as messages, sum(requests)::float8 as requests,
          sum(socket_deliveries + webhook_deliveries + push_deliveries)::float8 as deliveries
        from figure
        where minute >= to_timestamp($1::float8 / 1000) and minute < to_timestamp($2::float8 / 1000)
        group by app_id
      ), ranked as (
        select *,
          row_number() over (partition by app_id = '${NIL_UUID}' order by messages desc, app_id) as by_messages,
          row_number() over (partition by app_id = '${NIL_UUID}' order by requests desc, app_id) as by_requests,
          row_number() over (partition by app_id = '${NIL_UUID}' order by deliveries desc, app_id) as by_deliveries
        from active
      )
      select app_id, messages, requests, deliveries from ranked
      where least(by_messages, by_requests, by_deliveries) <= $3`,
    values: [from, to, count],
  });
}
