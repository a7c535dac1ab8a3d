import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { UUID } from '../patterns.ts';
import { EXAMPLE, url } from '../schema/ids.ts';
import { count, mapOf, named, nullable, oneOf, time } from '../schema/schema.ts';
import { Conversation } from './conversation.ts';
import { BasicIdentity, IDENTITY_METADATA, IDENTITY_PROPERTIES } from './identity.ts';
import { Message } from './message.ts';
import { MessagePart } from './part.ts';
import { SettledPush } from './push.ts';
import { Reaction } from './reaction.ts';
import { ConversationReference, MessageReference, ShadowableMessageReference } from './reference.ts';
import { Restriction } from './restriction.ts';
import type { WebhookEventName } from './webhook.ts';

/** The properties that notices of all types have, but for `event`. */
export const NOTICE_PROPERTIES = {
  actor: nullable(BasicIdentity, 'Who did it; null when a server or the platform did.'),
  config: Type.Optional(
    mapOf(Type.Unknown(), { description: 'The `config` of the webhook; left out when it has none.' }),
  ),
};

const TEST = {
  test: Type.Optional(
    Type.Literal(true, { description: 'Only in a test event, which is an example: nothing has happened.' }),
  ),
};

/** Which event a record is about; `types` are the names that its type may have. */
export function eventHead<const Names extends readonly string[], More extends TProperties>(
  types: Names,
  more: More,
) {
  return Type.Object(
    {
      id: Type.String({
        pattern: `^${UUID}$`,
        description: 'Bare UUID of the event, the same in every webhook, archive and retry.',
        examples: [EXAMPLE.event],
      }),
      type: Type.Unsafe<Names[number]>(oneOf(types, 'What happened.')),
      created_at: time('When it happened.'),
      ...more,
    },
    { description: 'Which event this is.' },
  );
}

function noticeOf<Name extends WebhookEventName, Subject extends TProperties>(
  type: Name,
  description: string,
  subject: Subject,
) {
  return named(
    `${componentName(type)}Notice`,
    Type.Object({ event: eventHead([type], TEST), ...NOTICE_PROPERTIES, ...subject }, { description }),
  );
}

/** `MessagePartCreated` for `MessagePart.created`. */
function componentName(type: string): string {
  return type.replace(/\.(.)/g, (_, first: string) => first.toUpperCase());
}

const OF_MESSAGE = { message: Message };

export const MessageCreatedNotice = noticeOf('Message.created', 'A message was sent.', OF_MESSAGE);
export const MessageUpdatedNotice = noticeOf(
  'Message.updated',
  'Parts of a message were added, changed or removed, or its metadata changed. `message` is the message afterwards; each part has a notice of its own.',
  OF_MESSAGE,
);
export const MessageDeletedNotice = noticeOf(
  'Message.deleted',
  'A message was deleted for all participants. `message` is the message before.',
  OF_MESSAGE,
);

const OF_PART = { message_part: MessagePart, message: ShadowableMessageReference };

export const DeletedMessagePart = named(
  'DeletedMessagePart',
  Type.Object(
    {
      id: MessagePart.properties.id,
      url: url('Where the part was read.'),
      message_url: url('Where the message is read.'),
    },
    { description: 'A part that is gone.' },
  ),
);

export const MessagePartCreatedNotice = noticeOf(
  'MessagePart.created',
  'A part was added to a message.',
  OF_PART,
);
export const MessagePartUpdatedNotice = noticeOf(
  'MessagePart.updated',
  'A part of a message was changed.',
  OF_PART,
);
export const MessagePartDeletedNotice = noticeOf('MessagePart.deleted', 'A part of a message was removed.', {
  message_part: DeletedMessagePart,
  message: ShadowableMessageReference,
});

export const OF_REACTION = {
  reaction: Reaction,
  message: MessageReference,
  conversation: ConversationReference,
};

export const ReactionCreatedNotice = noticeOf(
  'Reaction.created',
  'A user reacted to a message.',
  OF_REACTION,
);
export const ReactionDeletedNotice = noticeOf(
  'Reaction.deleted',
  'A user took a reaction back.',
  OF_REACTION,
);

export const Receipt = named(
  'Receipt',
  Type.Object(
    {
      type: oneOf(['Read', 'Delivery'], 'What the participant confirms.'),
      positions: Type.Object(
        {
          from: count('Position of the message.', 1),
          to: count('The same position: each message has a notice of its own.', 1),
        },
        { description: 'Which messages of the conversation.' },
      ),
    },
    { description: 'A confirmation by a participant, the actor.' },
  ),
);

export const ReceiptCreatedNotice = noticeOf('Receipt.created', 'A message was delivered, or read.', {
  receipt: Receipt,
  message: MessageReference,
  conversation: ConversationReference,
});

const OF_CONVERSATION = { conversation: Conversation };

export const ConversationCreatedNotice = noticeOf(
  'Conversation.created',
  'A conversation was created. Its first participants and metadata have no notices of their own.',
  OF_CONVERSATION,
);
/** The subject of an event about a restriction. */
export const OF_RESTRICTION = {
  restriction: Restriction,
  conversation: nullable(ConversationReference, 'Where it holds; null: in the whole application.'),
};

export const ParticipationUpdatedNotice = noticeOf(
  'Participation.updated',
  'Roles of participants changed. `conversation` is the conversation afterwards.',
  OF_CONVERSATION,
);
export const RestrictionCreatedNotice = noticeOf(
  'Restriction.created',
  'A user was restricted in a conversation, or in the whole application.',
  OF_RESTRICTION,
);
export const RestrictionDeletedNotice = noticeOf(
  'Restriction.deleted',
  'A restriction was lifted. One that ends by the clock has no notice.',
  OF_RESTRICTION,
);
export const ConversationUpdatedNotice = noticeOf(
  'Conversation.updated',
  'The metadata of a conversation changed, whether it is frozen, or its slow mode. `conversation` is the conversation afterwards.',
  OF_CONVERSATION,
);
export const ConversationDeletedNotice = noticeOf(
  'Conversation.deleted',
  'A conversation was deleted for all participants. `conversation` is the conversation before.',
  OF_CONVERSATION,
);

const OF_PARTICIPANTS = {
  changes: Type.Array(BasicIdentity, { minItems: 1, description: 'The users who came, or went.' }),
  conversation: ConversationReference,
};

export const ParticipationCreatedNotice = noticeOf(
  'Participation.created',
  'Users were added to a conversation.',
  OF_PARTICIPANTS,
);
export const ParticipationDeletedNotice = noticeOf(
  'Participation.deleted',
  'Users left a conversation or were removed.',
  OF_PARTICIPANTS,
);

/** An identity as events carry it: metadata that is too large for an event is left out. */
export const NoticedIdentity = named(
  'NoticedIdentity',
  Type.Object(
    { ...IDENTITY_PROPERTIES, metadata: Type.Optional(IDENTITY_METADATA) },
    { description: 'An identity, but metadata that is too large for an event is left out.' },
  ),
);

const OF_IDENTITY = { identity: NoticedIdentity };

export const IdentityCreatedNotice = noticeOf(
  'Identity.created',
  'A user came into being, by a first login or by a server.',
  OF_IDENTITY,
);
export const IdentityUpdatedNotice = noticeOf(
  'Identity.updated',
  'An identity was changed. `identity` is the identity afterwards.',
  OF_IDENTITY,
);

export const OF_PUSH = {
  push: SettledPush,
  message: nullable(MessageReference, 'The message; null for a push without one.'),
  conversation: nullable(ConversationReference, 'The conversation of the message.'),
};

export const PushDeliveredNotice = noticeOf(
  'Push.delivered',
  'The push service of a device accepted a push. Whether the device showed it is not known.',
  OF_PUSH,
);
export const PushFailedNotice = noticeOf('Push.failed', 'A push to a device failed for good.', OF_PUSH);

/** The body of a delivery, by the type of its event. */
export const NOTICES = {
  'Message.created': MessageCreatedNotice,
  'Message.updated': MessageUpdatedNotice,
  'Message.deleted': MessageDeletedNotice,
  'MessagePart.created': MessagePartCreatedNotice,
  'MessagePart.updated': MessagePartUpdatedNotice,
  'MessagePart.deleted': MessagePartDeletedNotice,
  'Reaction.created': ReactionCreatedNotice,
  'Reaction.deleted': ReactionDeletedNotice,
  'Receipt.created': ReceiptCreatedNotice,
  'Conversation.created': ConversationCreatedNotice,
  'Conversation.updated': ConversationUpdatedNotice,
  'Conversation.deleted': ConversationDeletedNotice,
  'Participation.created': ParticipationCreatedNotice,
  'Participation.deleted': ParticipationDeletedNotice,
  'Participation.updated': ParticipationUpdatedNotice,
  'Restriction.created': RestrictionCreatedNotice,
  'Restriction.deleted': RestrictionDeletedNotice,
  'Identity.created': IdentityCreatedNotice,
  'Identity.updated': IdentityUpdatedNotice,
  'Push.delivered': PushDeliveredNotice,
  'Push.failed': PushFailedNotice,
} as const satisfies Record<WebhookEventName, TSchema>;

type Notices = typeof NOTICES;

/** Body of a delivery. */
export type Notice = { [Name in keyof Notices]: Static<Notices[Name]> }[keyof Notices];
