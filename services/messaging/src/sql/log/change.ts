import { toBinary } from '@bufbuild/protobuf';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { column, type Statement } from '../statement.ts';

/** Appends events, without their bodies, to the change log. */
export function insertChanges(events: readonly Event[]): Statement | undefined {
  if (events.length === 0) return undefined;
  return {
    name: 'insert_changes',
    text: `
      insert into change (app_id, conversation_id, seq, created_at, only_user_ids, event)
      select row.app_id, row.conversation_id, row.seq, to_timestamp(row.created_at / 1000),
        case when row.only_user_ids is null then '{}'
          else array(select json_array_elements_text(row.only_user_ids)) end, row.event
      from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::float8[], $5::json[], $6::bytea[])
        as row (app_id, conversation_id, seq, created_at, only_user_ids, event)`,
    values: [
      column(events, 'appId'),
      column(events, 'conversationId'),
      column(events, 'seq'),
      column(events, 'createdAt'),
      events.map(({ onlyUserIds }) => (onlyUserIds.length === 0 ? null : JSON.stringify(onlyUserIds))),
      events.map((event) => toBinary(EventSchema, event)),
    ],
  };
}
