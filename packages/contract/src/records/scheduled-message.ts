import Type, { type Static } from 'typebox';
import { uri, url } from '../schema/ids.ts';
import { named, nullable, time } from '../schema/schema.ts';
import { BasicIdentity } from './identity.ts';
import { Notification } from './message.ts';
import { MessageMetadata } from './metadata.ts';
import { MessagePart } from './part.ts';
import { ConversationReference } from './reference.ts';

export const ScheduledMessage = named(
  'ScheduledMessage',
  Type.Object(
    {
      id: uri('messages', 'URI that the message has once it is sent.'),
      url: url('Where the scheduled message is read, until it is sent.'),
      conversation: ConversationReference,
      sender: nullable(BasicIdentity),
      parts: Type.Array(MessagePart),
      notification: nullable(Notification),
      metadata: Type.Optional(MessageMetadata),
      created_at: time('When the platform accepted it.'),
      send_at: time('When it is sent.'),
      typing_indicator_at: nullable(time('When the sender begins to appear typing; null: not at all.')),
    },
    {
      description:
        'A message that is accepted and not sent yet. It is dropped when its conversation is deleted or its sender removed before.',
    },
  ),
);
export type ScheduledMessage = Static<typeof ScheduledMessage>;
