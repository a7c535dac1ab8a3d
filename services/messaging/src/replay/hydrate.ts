import { fromBinary } from '@parley/codec';
import { isWithheld } from '@parley/domain/events/withheld';
import type { Sql } from '@parley/kit/postgres';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { loadFittingConversations } from '../conversation/view.ts';
import type { Viewer } from '../conversation/viewer.ts';
import { toMessage } from '../message/record.ts';
import { attachAll } from '../reaction/attach.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import { listReplayedMessages, type ChangeRow, type ReplayedMessageRow } from '../sql/log/change-list.ts';
import { listReturned } from '../sql/conversation/conversation-list.ts';
import { listMessagesAt } from '../sql/message/message-at.ts';
import { withRestrictions } from './restrictions.ts';
import { withNames } from './names.ts';
import { EVENTS_BYTES, countPlanned, fitEvents } from './answer-budget.ts';
import { loadReactionEvents, type SeenEvent } from './reactions.ts';
import { asConversationCreated, showEvent, withoutBody } from './show.ts';

/**
 * Events of the change log with their present bodies, and conversations as the viewer sees them. An event has no
 * body if its message was deleted or is hidden from the user, or if the change was withheld from them. Returns as many of the first rows as fit into one answer, and at
 * least one.
 */
export async function hydrate(sql: Sql, viewer: Viewer, rows: readonly ChangeRow[]): Promise<Event[]> {
  const all = rows.map(({ event }) => fromBinary(EventSchema, event));
  const replayed = await findReplayed(sql, viewer, all);
  const planned = all.map((event, index) => ({
    event,
    loggedBytes: rows[index]?.event.length ?? 0,
    messageBytes: replayed.get(keyOfMessage(event) ?? '')?.size ?? 0,
  }));
  const named = await withNames(sql, viewer.appId, all.slice(0, countPlanned(planned)));
  const returns = await findReturns(sql, viewer, lastInvisibleEvents(named, replayed));
  const { conversations, rest } = await loadMentioned(sql, viewer, named, returns);
  const events = takeBefore(named, rest, returns);
  const messages = await loadMessages(sql, viewer, events, replayed);
  const reactions = await loadReactionEvents(sql, viewer, seenEvents(events, replayed));
  const shown = events.map((event) => {
    const conversation = conversations.get(event.conversationId);
    if (returns.has(event)) return asConversationCreated(event, conversation);
    if (isWithheld(event, viewer.userId)) return withoutBody(event);
    if (event.body.case === 'reactionsChanged') return reactions.get(event) ?? withoutBody(event);
    return showEvent(event, { message: messages.get(keyOfMessage(event) ?? ''), conversation });
  });
  return fitEvents(viewer.userId ? shown : await withRestrictions(sql, viewer.appId, shown), planned);
}

// The last event of each conversation whose message is not visible any more.
function lastInvisibleEvents(
  events: readonly Event[],
  replayed: ReadonlyMap<string, unknown>,
): Map<string, Event> {
  const gone = events.filter(
    (event) => event.body.case === 'messageCreated' && !replayed.has(keyOfMessage(event) ?? ''),
  );
  return new Map(gone.map((event) => [event.conversationId, event]));
}

/**
 * Messages that are gone, but that brought a hidden conversation back into the user's list. A conversation.created
 * replaces each of them.
 */
async function findReturns(
  sql: Sql,
  { appId, userId }: Viewer,
  gone: ReadonlyMap<string, Event>,
): Promise<Set<Event>> {
  if (!userId || gone.size === 0) return new Set();
  const ids = await listReturned(sql, { appId, userId, ids: [...gone.keys()] });
  return new Set(ids.flatMap((id) => gone.get(id) ?? []));
}

async function findReplayed(
  sql: Sql,
  { appId, userId }: Viewer,
  events: readonly Event[],
): Promise<Map<string, ReplayedMessageRow>> {
  const keys = events.flatMap((event) => (isWithheld(event, userId) ? [] : (messageKeyOf(event) ?? [])));
  if (keys.length === 0) return new Map();
  const rows = await listReplayedMessages(sql, { appId, userId, places: keys });
  const visible = rows.filter((row) => row.visible);
  return new Map(visible.map((row) => [keyOf({ conversationId: row.conversation_id, seq: row.seq }), row]));
}

/** The events whose message is visible. */
function seenEvents(
  events: readonly Event[],
  replayed: ReadonlyMap<string, ReplayedMessageRow>,
): SeenEvent[] {
  return events.flatMap((event) => {
    const row = replayed.get(keyOfMessage(event) ?? '');
    return row ? [{ event, untilSeq: row.left_seq }] : [];
  });
}

/** Loads messages, by `keyOfMessage`. */
async function loadMessages(
  sql: Sql,
  { appId, userId }: Viewer,
  events: readonly Event[],
  replayed: ReadonlyMap<string, ReplayedMessageRow>,
): Promise<Map<string, Message>> {
  const wanted = new Map<string, ReplayedMessageRow>();
  for (const event of events) {
    const key = event.body.case === 'reactionsChanged' ? undefined : keyOfMessage(event);
    const row = key === undefined ? undefined : replayed.get(key);
    if (key !== undefined && row) wanted.set(key, row);
  }
  if (wanted.size === 0) return new Map();
  const bodies = new Map([...wanted.values()].map((row) => [keyOfBody(row), row]));
  const places = [...bodies.values()].map(({ conversation_id, position, kept_seq }) => ({
    appId,
    conversationId: conversation_id,
    position,
    keptSeq: kept_seq,
  }));
  const rows = await listMessagesAt(sql, places);
  const messages = new Map(rows.map((row) => [keyOfBody(row), toMessage(row)]));
  const marked = [...bodies.values()].filter((row) => hasSideTable(row, 'reactions'));
  const reacted = marked.flatMap((row) => {
    const message = messages.get(keyOfBody(row));
    return message ? [{ message, untilSeq: row.left_seq }] : [];
  });
  await attachAll(sql, { appId, userId }, reacted);
  return new Map(
    [...wanted].flatMap(([key, row]) => {
      const message = messages.get(keyOfBody(row));
      return message ? [[key, message] as const] : [];
    }),
  );
}

type Mentioned = { conversations: Map<string, Conversation>; rest: ReadonlySet<string> };

async function loadMentioned(
  sql: Sql,
  viewer: Viewer,
  events: readonly Event[],
  returns: ReadonlySet<Event>,
): Promise<Mentioned> {
  const mentioning = events.filter((event) => mentionsConversation(event) || returns.has(event));
  const ids = [...new Set(mentioning.map((event) => event.conversationId))];
  const { conversations, rest } = await loadFittingConversations(sql, viewer, { ids, budget: EVENTS_BYTES });
  return {
    conversations: new Map(conversations.map((conversation) => [conversation.id, conversation])),
    rest: new Set(rest),
  };
}

/** The events before the first one that shows one of the conversations in `rest`. */
function takeBefore(
  events: readonly Event[],
  rest: ReadonlySet<string>,
  returns: ReadonlySet<Event>,
): readonly Event[] {
  const end = events.findIndex(
    (event) => rest.has(event.conversationId) && (mentionsConversation(event) || returns.has(event)),
  );
  return end === -1 ? events : events.slice(0, end);
}

function mentionsConversation({ body }: Event): boolean {
  return (
    body.case === 'conversationCreated' ||
    body.case === 'conversationUpdated' ||
    body.case === 'conversationRelisted' ||
    body.case === 'restrictionChanged'
  );
}

/** The message that an event mentions, and the event's change number. */
type MessageKey = { conversationId: string; position: number; seq: number };

function messageKeyOf({ conversationId, seq, body }: Event): MessageKey | undefined {
  switch (body.case) {
    case 'messageCreated':
    case 'messagePartsChanged':
    case 'messageUpdated': {
      const position = body.value.message?.position;
      return position === undefined ? undefined : { conversationId, position, seq };
    }
    case 'reactionsChanged':
      return { conversationId, position: body.value.position, seq };
    default:
      return undefined;
  }
}

function keyOfMessage(event: Event): string | undefined {
  const key = messageKeyOf(event);
  return key && keyOf(key);
}

function keyOf({ conversationId, seq }: { conversationId: string; seq: number }): string {
  return `${conversationId}/${seq}`;
}

/** Key of one body of a message. */
function keyOfBody({ conversation_id, position, kept_seq }: BodyRow): string {
  return `${conversation_id}/${position}/${kept_seq}`;
}

type BodyRow = { conversation_id: string; position: number; kept_seq: number | null };
