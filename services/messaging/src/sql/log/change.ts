import { toBinary } from '@bufbuild/protobuf';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { column, WRITE_CONDITION, type Statement } from '../statement.ts';

/** Appends events, without their bodies, to the change log. */
export function insertChanges(events: readonly Event[]): Statement | undefined {
  if (events.length === 0) return undefined;
  const values = [
    column(events, 'appId'),
    column(events, 'conversationId'),
    column(events, 'seq'),
    column(events, 'createdAt'),
    events.map((event) => toBinary(EventSchema, event)),
  ];
  if (events.every(({ onlyUserIds }) => onlyUserIds.length === 0)) return { ...FOR_ALL, values };
  const userIds = events.map(({ onlyUserIds }) => JSON.stringify(onlyUserIds));
  return { ...FOR_SOME, values: [...values, userIds] };
}

const FOR_ALL = {
  name: 'insert_changes',
  text: `
    insert into change (app_id, conversation_id, seq, created_at, event)
    select row.app_id, row.conversation_id, row.seq, to_timestamp(row.created_at / 1000), row.event
    from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::float8[], $5::bytea[])
      as row (app_id, conversation_id, seq, created_at, event)
    where ${WRITE_CONDITION}`,
};

const FOR_SOME = {
  name: 'insert_changes_for_some',
  text: `
    insert into change (app_id, conversation_id, seq, created_at, event, only_user_ids)
    select row.app_id, row.conversation_id, row.seq, to_timestamp(row.created_at / 1000), row.event,
      array(select json_array_elements_text(row.only_user_ids))
    from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::float8[], $5::bytea[], $6::json[])
      as row (app_id, conversation_id, seq, created_at, event, only_user_ids)
    where ${WRITE_CONDITION}`,
};
