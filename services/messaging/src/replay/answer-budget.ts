import { create, toBinary } from '@parley/codec';
import { countFitting } from '@parley/kit/rpc/byte-budget';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { ConversationSchema, type Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { withoutNames } from '../log/references.ts';
import { withoutBody } from './show.ts';

/** The encoded size of an answer with events. */
export const EVENTS_BYTES = 3 * 1024 * 1024;
/** The size of one event that every process and the broker still accept. */
const EVENT_BYTES = 6 * 1024 * 1024;
/** Bytes of an event beyond those of its entry in the change log. */
const EVENT_OVERHEAD_BYTES = 256;
/** The assumed size of a name that is not loaded yet. */
const NAME_BYTES = 512;

/** An event of the change log, the bytes that it has there, and the bytes of the message to be shown with it. */
export type PlannedEvent = { event: Event; loggedBytes: number; messageBytes: number };

/** The number of first events to load names and conversations for. */
export function countPlanned(planned: readonly PlannedEvent[]): number {
  return countFitting(planned, EVENTS_BYTES, ({ event, loggedBytes, messageBytes }) => {
    return EVENT_OVERHEAD_BYTES + loggedBytes + messageBytes + identitiesIn(event).length * NAME_BYTES;
  });
}

/**
 * Keeps as many of the first events as fit, and at least one. An event that is too large alone names users by id only; if it
 * is still too large, it loses its body.
 */
export function fitEvents(shown: readonly Event[], planned: readonly PlannedEvent[]): Event[] {
  const sizes = new Map<Conversation, number>();
  const bytes = shown.map((event, index) => {
    const { loggedBytes: loggedBytes = 0, messageBytes: messageBytes = 0 } = planned[index] ?? {};
    return (
      EVENT_OVERHEAD_BYTES + loggedBytes + messageBytes + nameBytes(event) + conversationBytes(event, sizes)
    );
  });
  const end = countFitting(bytes, EVENTS_BYTES, (size) => size);
  return shown
    .slice(0, end)
    .map((event, index) => ((bytes[index] ?? 0) > EVENT_BYTES ? shrink(event) : event));
}

export function identitiesIn({ actor, body }: Event): BasicIdentity[] {
  const named = identitiesInBody(body);
  return actor ? [actor, ...named] : named;
}

function identitiesInBody(body: Event['body']): BasicIdentity[] {
  if (body.case === 'conversationUpdated') return [...body.value.added, ...body.value.removed];
  return body.case === 'reactionsChanged' ? body.value.changes.flatMap(({ user }) => user ?? []) : [];
}

function nameBytes(event: Event): number {
  return identitiesIn(event).reduce(
    (sum, { displayName = '', avatarUrl = '' }) =>
      sum + Buffer.byteLength(displayName) + Buffer.byteLength(avatarUrl) + 16,
    0,
  );
}

function conversationOf(body: Event['body']): Conversation | undefined {
  switch (body.case) {
    case 'conversationCreated':
    case 'conversationUpdated':
    case 'conversationRelisted':
      return body.value.conversation;
    default:
      return undefined;
  }
}

// The same conversation may occur in hundreds of events.
function conversationBytes({ body }: Event, sizes: Map<Conversation, number>): number {
  const conversation = conversationOf(body);
  if (!conversation) return 0;
  let size = sizes.get(conversation);
  if (size === undefined) sizes.set(conversation, (size = toBinary(ConversationSchema, conversation).length));
  return size;
}

function shrink(event: Event): Event {
  const { body } = event;
  const conversation = conversationOf(body);
  if (!conversation) return withoutBody(event);
  const participants = conversation.participants.map(withoutNames);
  const reference = create(ConversationSchema, { ...conversation, participants });
  const reduced = {
    ...event,
    body: { case: body.case, value: { ...body.value, conversation: reference } },
  } as Event;
  if (reduced.body.case === 'conversationUpdated') {
    reduced.body.value = {
      ...reduced.body.value,
      added: reduced.body.value.added.map(withoutNames),
      removed: reduced.body.value.removed.map(withoutNames),
    };
  }
  return toBinary(EventSchema, reduced).length > EVENT_BYTES ? withoutBody(event) : reduced;
}
