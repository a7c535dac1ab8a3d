import Type, { type Static } from 'typebox';
import { BasicIdentity } from '../records/identity.ts';
import { idInput } from '../schema/ids.ts';
import { named, oneOf } from '../schema/schema.ts';
import { ConversationObject } from './object.ts';

export const TypingAction = named(
  'TypingAction',
  oneOf(['started', 'paused', 'finished'], 'Whether the user types, has stopped for a moment, or has ended.'),
);

/** The body of a client's typing signal. */
export const TypingSignalInput = named(
  'TypingSignalInput',
  Type.Object(
    {
      type: Type.Literal('typing_indicator'),
      object: Type.Object(
        { id: idInput('conversations', 'The conversation in which the user types.') },
        { description: 'Other keys are not looked at.' },
      ),
      data: Type.Object({ action: TypingAction }),
    },
    { description: 'The user types in a conversation.' },
  ),
);
export type TypingSignalInput = Static<typeof TypingSignalInput>;

/** The body of a typing signal that the gateway passes on. */
export const TypingSignal = named(
  'TypingSignal',
  Type.Object(
    {
      type: Type.Literal('typing_indicator'),
      object: ConversationObject,
      data: Type.Object({ action: TypingAction, sender: BasicIdentity }),
    },
    { description: 'Another participant types in a conversation.' },
  ),
);
export type TypingSignal = Static<typeof TypingSignal>;
