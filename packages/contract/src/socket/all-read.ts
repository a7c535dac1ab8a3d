import Type, { type Static } from 'typebox';
import { BasicIdentity } from '../records/identity.ts';
import { count, named, nullable } from '../schema/schema.ts';
import { ConversationObject } from './object.ts';

/** The body of an operation packet. */
export const AllRead = named(
  'AllRead',
  Type.Object(
    {
      method: Type.Literal('Conversation.mark_all_read'),
      object: ConversationObject,
      data: Type.Object({
        position: count('The reader has read all messages up to this position.'),
        identity: nullable(BasicIdentity),
      }),
    },
    { description: 'A participant marked a conversation as read. `identity` is the reader.' },
  ),
);
export type AllRead = Static<typeof AllRead>;
