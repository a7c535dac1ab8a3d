import Type, { type Static, type TProperties } from 'typebox';
import { named, nullable } from '../schema/schema.ts';
import { Conversation } from './conversation.ts';
import type { ExportEventName } from './export.ts';
import { BasicIdentity } from './identity.ts';
import { Message } from './message.ts';
import { ConversationReference, MessageReference } from './reference.ts';
import { eventHead, OF_PUSH, OF_REACTION, OF_RESTRICTION } from './webhook-event.ts';

function eventOf<const Names extends readonly ExportEventName[], Subject extends TProperties>(
  types: Names,
  description: string,
  subject: Subject,
) {
  const actor = nullable(BasicIdentity, 'Who did it; null when a server or the platform did.');
  return Type.Object({ event: eventHead(types, {}), actor, ...subject }, { description });
}

const MESSAGE_EVENT = eventOf(
  ['message.sent', 'message.updated', 'message.deleted'],
  'A message was sent, its metadata changed, or it was deleted for all participants.',
  { message: Message },
);

const RECEIPT_EVENT = eventOf(['message.delivered', 'message.read'], 'The actor got a message, or read it.', {
  message: MessageReference,
  conversation: ConversationReference,
});

const REACTION_EVENT = eventOf(
  ['reaction.created', 'reaction.deleted'],
  'The actor reacted to a message, or took a reaction back.',
  OF_REACTION,
);

const CONVERSATION_EVENT = eventOf(
  [
    'conversation.created',
    'conversation.updated.participants',
    'conversation.updated.metadata',
    'conversation.updated.roles',
    'conversation.updated.settings',
    'conversation.deleted',
  ],
  'A conversation was created, changed or deleted for all participants; as it was afterwards, a deleted one as it was before.',
  { conversation: Conversation },
);

const RESTRICTION_EVENT = eventOf(
  ['restriction.created', 'restriction.deleted'],
  'A user was restricted, or a restriction ended before its time.',
  OF_RESTRICTION,
);

const PUSH_EVENT = eventOf(
  ['push.delivered', 'push.failed'],
  'The push service of a device accepted a push, or the push failed for good.',
  OF_PUSH,
);

export const ExportEvent = named(
  'ExportEvent',
  Type.Union(
    [MESSAGE_EVENT, REACTION_EVENT, RECEIPT_EVENT, CONVERSATION_EVENT, RESTRICTION_EVENT, PUSH_EVENT],
    { description: 'Something that happened.' },
  ),
);
export type ExportEvent = Static<typeof ExportEvent>;

export const ScheduledArchive = named(
  'ScheduledArchive',
  Type.Object(
    {
      events: Type.Array(ExportEvent, { description: 'In the order of time; each event is in one archive.' }),
    },
    { description: 'The file `export.json` of a scheduled export.' },
  ),
);
export type ScheduledArchive = Static<typeof ScheduledArchive>;

export const HistoricalArchive = named(
  'HistoricalArchive',
  Type.Object(
    {
      conversations: Type.Array(Conversation, { description: 'All that were not deleted.' }),
      messages: Type.Array(Message, {
        description: 'All that were not deleted, conversation by conversation.',
      }),
    },
    { description: 'The file `export.json` of a historical export.' },
  ),
);
export type HistoricalArchive = Static<typeof HistoricalArchive>;
