import { toBinary } from '@parley/codec';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { rowParameters } from '../row-parameters.ts';
import { WRITE_CONDITION, type Statement } from '../statement.ts';

export type ChangeRow = {
  app_id: string;
  conversation_id: string;
  seq: number;
  created_at: number;
  /** parley.event.v1.Event, without what the event only refers to. */
  event: Uint8Array;
};

/** `only_user_ids`: JSON. */
type RowForSome = ChangeRow & { only_user_ids: string };

const TYPES = {
  app_id: 'uuid',
  conversation_id: 'uuid',
  seq: 'int8',
  created_at: 'float8',
  event: 'bytea',
};
const FOR_ALL = rowParameters<ChangeRow>('row', TYPES);
const FOR_SOME = rowParameters<RowForSome>('row', { ...TYPES, only_user_ids: 'json' });

/** Appends events, without their bodies, to the change log. */
export function insertChanges(events: readonly Event[]): Statement | undefined {
  if (events.length === 0) return undefined;
  return events.every(({ onlyUserIds }) => onlyUserIds.length === 0)
    ? insertForAll(events.map(changeRow))
    : insertForSome(
        events.map((event) => ({ ...changeRow(event), only_user_ids: JSON.stringify(event.onlyUserIds) })),
      );
}

/** The row of an event for everybody, without what it only refers to. */
export function changeRow(event: Event): ChangeRow {
  return {
    app_id: event.appId,
    conversation_id: event.conversationId,
    seq: event.seq,
    created_at: event.createdAt,
    event: toBinary(EventSchema, event),
  };
}

export function insertChange(row: ChangeRow): Statement {
  return insertForAll([row]);
}

function insertForAll(rows: readonly ChangeRow[]): Statement {
  const row = FOR_ALL.of(rows);
  return {
    name: `insert_changes${row.suffix}`,
    text: `
      insert into change (app_id, conversation_id, seq, created_at, event)
      select row.app_id, row.conversation_id, row.seq, to_timestamp(row.created_at / 1000), row.event
      from ${row.sql}
      where ${WRITE_CONDITION}`,
    values: row.values,
  };
}

function insertForSome(rows: readonly RowForSome[]): Statement {
  const row = FOR_SOME.of(rows);
  return {
    name: `insert_changes_for_some${row.suffix}`,
    text: `
      insert into change (app_id, conversation_id, seq, created_at, event, only_user_ids)
      select row.app_id, row.conversation_id, row.seq, to_timestamp(row.created_at / 1000), row.event,
        array(select json_array_elements_text(row.only_user_ids))
      from ${row.sql}
      where ${WRITE_CONDITION}`,
    values: row.values,
  };
}
