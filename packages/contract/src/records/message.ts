import Type, { type Static } from 'typebox';
import { uri, url } from '../schema/ids.ts';
import { count, mapOf, named, nullable, oneOf, time } from '../schema/schema.ts';
import { BasicIdentity } from './identity.ts';
import { MessageMetadata } from './metadata.ts';
import { MessagePart } from './part.ts';
import { Reactions } from './reaction.ts';
import { ConversationReference, Shadowed } from './reference.ts';

export const RecipientStatus = named(
  'RecipientStatus',
  oneOf(['sent', 'delivered', 'read'], 'How far a message has come with one participant.'),
);
export type RecipientStatus = Static<typeof RecipientStatus>;

export const Notification = named(
  'Notification',
  Type.Object(
    {
      title: nullable(Type.String({ description: 'Text on a lock screen or banner.' })),
      text: nullable(Type.String({ description: 'What the notification says.' })),
      sound: nullable(Type.String({ description: 'Name of a sound.' })),
    },
    { description: 'What devices show for a message.' },
  ),
);
export type Notification = Static<typeof Notification>;

export const Message = named(
  'Message',
  Type.Object(
    {
      id: uri('messages', 'URI of the message.'),
      url: url('Where the message is read.'),
      receipts_url: nullable(url('Where receipts go; null for servers.')),
      position: count('Number of the message in its conversation: 1 for the first, then without gaps.', 1),
      conversation: ConversationReference,
      parts: Type.Array(MessagePart, { description: 'In the order of the sender.' }),
      sent_at: time('When the message was sent.'),
      received_at: nullable(time('When the platform stored it; null for servers.')),
      sender: nullable(BasicIdentity, 'The user or bot who sent it.'),
      is_unread: nullable(Type.Boolean({ description: 'For the reader; null for servers.' })),
      recipient_status: mapOf(RecipientStatus, {
        description:
          'By the URI of the identity: how far the message has come with each participant, always `read` for its sender. Participants who were added later are not listed.',
        examples: [{ 'svc:///identities/ada': 'read', 'svc:///identities/bob': 'delivered' }],
      }),
      updated_at: nullable(time('When parts were last added, changed or removed; null: never.')),
      notification: Type.Optional(Notification),
      metadata: Type.Optional(MessageMetadata),
      reactions: Type.Optional(Reactions),
      shadowed: Shadowed,
    },
    { description: 'A message as its reader sees it.' },
  ),
);
export type Message = Static<typeof Message>;
