import Type, { type Static } from 'typebox';
import { BasicIdentity } from '../records/identity.ts';
import { count, named, nullable } from '../schema/schema.ts';
import { ConversationObject } from './object.ts';

/** The body of an operation packet, for extended subprotocols. */
export const AllDelivered = named(
  'AllDelivered',
  Type.Object(
    {
      method: Type.Literal('Conversation.mark_all_delivered'),
      object: ConversationObject,
      data: Type.Object({
        position: count('A device of the recipient has all messages up to this position.'),
        identity: nullable(BasicIdentity),
      }),
    },
    { description: 'Messages of a conversation were delivered to a participant, who is `identity`.' },
  ),
);
export type AllDelivered = Static<typeof AllDelivered>;
