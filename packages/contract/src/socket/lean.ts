import Type, { type Static } from 'typebox';
import { RecipientStatus } from '../records/message.ts';
import { MessageMetadata } from '../records/metadata.ts';
import { UUID } from '../patterns.ts';
import { count, mapOf, named, time } from '../schema/schema.ts';

function id(description: string) {
  return Type.String({ pattern: `^${UUID}$`, description });
}

export const LeanIdentity = named(
  'LeanIdentity',
  Type.Object(
    {
      user_id: Type.String({ description: 'The id that the application gave the user.', examples: ['ada'] }),
      display_name: Type.Optional(Type.String({ description: 'Name to show.' })),
      avatar_url: Type.Optional(Type.String({ description: 'Address of a picture.' })),
    },
    { description: 'Who a user is, in a lean packet.' },
  ),
);

export const LeanContent = named(
  'LeanContent',
  Type.Object(
    {
      id: id('Id of the content.'),
      size: count('Bytes of the upload.'),
      download_url: Type.Optional(
        Type.String({ description: 'Where it is downloaded, until `expiration`.' }),
      ),
      expiration: Type.Optional(time('When `download_url` stops working.')),
    },
    { description: 'A blob in object storage, in a lean packet.' },
  ),
);

export const LeanPart = named(
  'LeanPart',
  Type.Object(
    {
      id: id('Id of the part.'),
      mime_type: Type.Optional(Type.String({ description: 'As the sender gave it; absent: `text/plain`.' })),
      body: Type.Optional(
        Type.String({ description: 'What the part says; base64 when `encoding` says so.' }),
      ),
      encoding: Type.Optional(Type.String({ description: '`base64` for a body that is not text.' })),
      content: Type.Optional(LeanContent),
      updated_at: Type.Optional(time('When the part was last changed.')),
      filename: Type.Optional(Type.String({ description: 'Name of the download.' })),
    },
    { description: 'One piece of a message, in a lean packet.' },
  ),
);

export const LeanNotification = named(
  'LeanNotification',
  Type.Object(
    {
      title: Type.Optional(Type.String({ description: 'Text on a lock screen or banner.' })),
      text: Type.Optional(Type.String({ description: 'What the notification says.' })),
      sound: Type.Optional(Type.String({ description: 'Name of a sound.' })),
    },
    { description: 'What devices show for a message, in a lean packet.' },
  ),
);

export const LeanReactions = named(
  'LeanReactionSummary',
  Type.Object(
    {
      count: count('Users who reacted with the key.', 1),
      recent: Type.Array(Type.String({ description: 'The id of a user.' }), {
        description: 'Who reacted last, newest first.',
      }),
      own: Type.Optional(Type.Literal(true, { description: 'The reader is among them.' })),
    },
    { description: 'The reactions to a message with one key, in a lean packet.' },
  ),
);

export const LeanMessage = named(
  'LeanMessage',
  Type.Object(
    {
      position: count('Number of the message in its conversation.', 1),
      conversation: id('Id of the conversation.'),
      parts: Type.Array(LeanPart, { description: 'In the order of the sender.' }),
      sent_at: time('When the message was sent, and stored.'),
      sender: Type.Optional(LeanIdentity),
      is_unread: Type.Optional(
        Type.Boolean({
          description: 'Of a message of the reader, or a replayed one. Otherwise it is new, and unread.',
        }),
      ),
      recipient_status: Type.Optional(
        mapOf(RecipientStatus, {
          description:
            'By user id, of a message of the reader or a replayed one. Otherwise it is new: `read` for its sender, and `sent` for all other participants.',
          examples: [{ ada: 'read', bob: 'delivered' }],
        }),
      ),
      updated_at: Type.Optional(time('When parts were last added, changed or removed.')),
      notification: Type.Optional(LeanNotification),
      metadata: Type.Optional(MessageMetadata),
      reactions: Type.Optional(
        mapOf(LeanReactions, { description: 'By key, of a replayed message. A new one has none.' }),
      ),
    },
    { description: 'A message in a lean packet. What is null elsewhere is left out.' },
  ),
);

/** The body of the lean change packet of a message. */
export const LeanMessageCreated = named(
  'LeanMessageCreatedChange',
  Type.Object(
    {
      operation: Type.Literal('create'),
      object: Type.Object({ type: Type.Literal('Message'), id: id('Id of the message.') }),
      data: LeanMessage,
      unread_message_count: Type.Optional(
        count(
          'The reader’s unread messages in the conversation, with this one; absent: an `update Conversation` follows.',
        ),
      ),
    },
    {
      description:
        'A message was sent, or comes into the user’s sight. It is the newest of its conversation if it has a count.',
    },
  ),
);
export type LeanMessageCreated = Static<typeof LeanMessageCreated>;

/** `data` of the lean response to `Message.create`. */
export const LeanSentMessage = named(
  'LeanSentMessage',
  Type.Object(
    {
      id: id('Id of the message.'),
      position: count('Number of the message in its conversation.', 1),
      sent_at: time('When the message was sent.'),
      part_ids: Type.Array(id('Id of a part.'), { description: 'In the order of the parts.' }),
    },
    { description: 'What the sender of a message does not know of it.' },
  ),
);
export type LeanSentMessage = Static<typeof LeanSentMessage>;
