import { fromBinary } from '@bufbuild/protobuf';
import type { Sql } from '@parley/kit/postgres';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { loadConversations, type Viewer } from '../conversation-view.ts';
import { toMessage } from '../messages.ts';
import { listReplayedMessages, type ChangeRow, type ReplayedMessageRow } from '../sql/change-list.ts';
import { listReturned } from '../sql/conversation-list.ts';
import { listMessagesAt } from '../sql/last-message.ts';
import { withNames } from './names.ts';
import { created, showEvent } from './show.ts';

/** Of an answer; a message counts with its size, a conversation with that of its participants. */
const BUDGET_BYTES = 3 * 1024 * 1024;
const CONVERSATION_BYTES = 16 * 1024;
const EVENT_BYTES = 512;

/**
 * Events of the log with the bodies that are there now, conversations as the user sees them; without a body where that
 * was deleted, or is hidden from the user. As many of the first rows as fit into one answer, at least one.
 */
export async function hydrate(sql: Sql, viewer: Viewer, rows: readonly ChangeRow[]): Promise<Event[]> {
  const all = rows.map(({ event }) => fromBinary(EventSchema, event));
  const replayed = await findReplayed(sql, viewer, all);
  const events = await withNames(sql, viewer.appId, all.slice(0, countFitting(all, replayed)));
  const returns = await findReturns(sql, viewer, lastGone(events, replayed));
  const [messages, conversations] = await Promise.all([
    loadMessages(sql, viewer, events, replayed),
    loadMentioned(sql, viewer, events, returns),
  ]);
  return events.map((event) => {
    const conversation = conversations.get(event.conversationId);
    return returns.has(event)
      ? created(event, conversation)
      : showEvent(event, { message: messages.get(keyOfMessage(event) ?? ''), conversation });
  });
}

// The last message of each conversation that there is nothing to show of.
function lastGone(events: readonly Event[], replayed: ReadonlyMap<string, unknown>): Map<string, Event> {
  const gone = events.filter(
    (event) => event.body.case === 'messageCreated' && !replayed.has(keyOfMessage(event) ?? ''),
  );
  return new Map(gone.map((event) => [event.conversationId, event]));
}

/** Messages that are gone, but brought a conversation back that the user had hidden: the conversation is told instead. */
async function findReturns(
  sql: Sql,
  { appId, userId }: Viewer,
  gone: ReadonlyMap<string, Event>,
): Promise<Set<Event>> {
  if (!userId || gone.size === 0) return new Set();
  const ids = await listReturned(sql, { app_id: appId, user_id: userId, ids: [...gone.keys()] });
  return new Set(ids.flatMap((id) => gone.get(id) ?? []));
}

async function findReplayed(
  sql: Sql,
  { appId, userId }: Viewer,
  events: readonly Event[],
): Promise<Map<string, ReplayedMessageRow>> {
  const places = placesOf(events);
  if (places.length === 0) return new Map();
  const rows = await listReplayedMessages(sql, { app_id: appId, user_id: userId, places });
  return new Map(rows.filter((row) => row.visible).map((row) => [keyOf(row), row]));
}

function countFitting(events: readonly Event[], replayed: ReadonlyMap<string, ReplayedMessageRow>): number {
  let bytes = 0;
  const end = events.findIndex((event, index) => {
    bytes += EVENT_BYTES + (replayed.get(keyOfMessage(event) ?? '')?.size ?? 0);
    if (mentionsConversation(event)) bytes += CONVERSATION_BYTES;
    return index > 0 && bytes > BUDGET_BYTES;
  });
  return end === -1 ? events.length : end;
}

async function loadMessages(
  sql: Sql,
  { appId }: Viewer,
  events: readonly Event[],
  replayed: ReadonlyMap<string, ReplayedMessageRow>,
): Promise<Map<string, Message>> {
  const places = placesOf(events).filter((place) => replayed.has(keyOf(place)));
  if (places.length === 0) return new Map();
  const rows = await listMessagesAt(
    sql,
    places.map((place) => ({ app_id: appId, ...place })),
  );
  return new Map(rows.map((row) => [keyOf(row), toMessage(row)]));
}

async function loadMentioned(
  sql: Sql,
  viewer: Viewer,
  events: readonly Event[],
  returns: ReadonlySet<Event>,
): Promise<Map<string, Conversation>> {
  const mentioning = events.filter((event) => mentionsConversation(event) || returns.has(event));
  const ids = new Set(mentioning.map((event) => event.conversationId));
  const conversations = await loadConversations(sql, viewer, [...ids]);
  return new Map(conversations.map((conversation) => [conversation.id, conversation]));
}

function mentionsConversation({ body }: Event): boolean {
  return body.case === 'conversationCreated' || body.case === 'conversationUpdated';
}

type Place = { conversation_id: string; position: number };

function placesOf(events: readonly Event[]): Place[] {
  const places = new Map<string, Place>();
  for (const event of events) {
    const place = placeOf(event);
    if (place) places.set(keyOf(place), place);
  }
  return [...places.values()];
}

function placeOf({ conversationId, body }: Event): Place | undefined {
  if (body.case !== 'messageCreated' && body.case !== 'messagePartsChanged') return undefined;
  const position = body.value.message?.position;
  return position === undefined ? undefined : { conversation_id: conversationId, position };
}

function keyOfMessage(event: Event): string | undefined {
  const place = placeOf(event);
  return place && keyOf(place);
}

function keyOf({ conversation_id, position }: Place): string {
  return `${conversation_id}/${position}`;
}
