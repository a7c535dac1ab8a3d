import Type, { type Static } from 'typebox';
import { uri, url } from '../schema/ids.ts';
import { count, named, nullable, time } from '../schema/schema.ts';
import { BasicIdentity } from './identity.ts';
import { Message } from './message.ts';
import { Metadata } from './metadata.ts';

export const Conversation = named(
  'Conversation',
  Type.Object(
    {
      id: uri('conversations', 'URI of the conversation.'),
      url: url('Where the conversation is read.'),
      messages_url: url('Where messages are listed and sent.'),
      created_at: time('When the conversation was created.'),
      participants: Type.Array(BasicIdentity, {
        description: 'In any order. Empty for a user who was removed; they keep what was before, read-only.',
      }),
      distinct: Type.Boolean({ description: 'Whether it is the one conversation of these participants.' }),
      metadata: Metadata,
      last_message: nullable(
        Message,
        'The newest message that the reader sees; null without one and for servers.',
      ),
      unread_message_count: nullable(count('Messages that the reader has not read; null for servers.')),
      total_message_count: nullable(count('Messages that the reader sees; null for servers.')),
    },
    { description: 'A conversation as its reader sees it.' },
  ),
);
export type Conversation = Static<typeof Conversation>;
