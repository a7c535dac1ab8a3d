import Type, { type Static } from 'typebox';
import { ROLES } from '../../policy.ts';
import { OwnRestriction } from '../../records/restriction.ts';
import { Conversation, Frozen } from '../../records/conversation.ts';
import { BasicIdentity } from '../../records/identity.ts';
import { identityUri, uri } from '../../schema/ids.ts';
import { count, named, nullable, oneOf } from '../../schema/schema.ts';
import { ConversationObject } from '../object.ts';
import { createChange, deleteChange, updateChange } from './change.ts';
import { DeletionMode } from './message.ts';
import { addStep, deleteStep, deleteStepAt, removeStep, setStep, setStepAt } from './step.ts';

const METADATA_PATH = '^metadata(\\..+)?$';
const ABOUT_PATH =
  '`metadata`, or a path into it such as `metadata.colors.background`; a dot within a key is written as `\\.`.';

const ROLE_PATH = '^roles\\..+$';
const ABOUT_ROLE = 'After `roles.` the URI of the identity, each dot in it written as `\\.`.';

export const ConversationCreated = createChange('ConversationCreatedChange', {
  object: ConversationObject,
  data: Conversation,
  description:
    'The user takes part in a conversation: it was created, they were added to it, or it came back after they had hidden it.',
});
export type ConversationCreated = Static<typeof ConversationCreated>;

export const ConversationStep = named(
  'ConversationStep',
  Type.Union([
    setStepAt(METADATA_PATH, {
      description: ABOUT_PATH,
      value: Type.Union([Type.String(), Type.Object({})], {
        description: 'A text, or an object of texts and objects. Missing objects on the path are made.',
      }),
    }),
    deleteStepAt(METADATA_PATH, ABOUT_PATH),
    addStep('participants', { id: identityUri('The new participant.'), value: BasicIdentity }),
    removeStep('participants', identityUri('Who takes part no more; the user themselves, if removed.')),
    setStepAt(ROLE_PATH, { description: ABOUT_ROLE, value: oneOf(ROLES, 'The role.') }),
    deleteStepAt(ROLE_PATH, `${ABOUT_ROLE} The participant is a member.`),
    setStep('frozen', Frozen),
    deleteStep('frozen'),
    setStep(
      'slow_mode_in_seconds',
      count('Seconds between two messages of a participant; 0: as the type says.'),
    ),
    setStep('restriction', OwnRestriction),
    deleteStep('restriction'),
    setStep('distinct', Type.Boolean({ description: 'False once the participants were changed.' })),
    Type.Object({
      operation: Type.Literal('set'),
      property: Type.Literal('last_message'),
      id: nullable(uri('messages', 'The newest message that the user sees; null: none.')),
    }),
    setStep('unread_message_count', count('Unread messages of the user in this conversation.')),
  ]),
);

export const ConversationUpdated = updateChange('ConversationUpdatedChange', {
  object: ConversationObject,
  step: ConversationStep,
  description:
    'Metadata, participants, the newest message or the unread count changed. Changes of one conversation within 50 ms may come in one packet. A user who was removed is sent that step alone, and nothing more of the conversation.',
});
export type ConversationUpdated = Static<typeof ConversationUpdated>;

export const ConversationDeleted = deleteChange('ConversationDeletedChange', {
  object: ConversationObject,
  data: Type.Object({
    mode: DeletionMode,
    from_position: nullable(
      count(
        'With `my_devices`: messages up to this position are hidden; a later one brings the conversation back. Null: all are deleted.',
      ),
    ),
  }),
  description: 'The conversation was deleted for all, or the user hid it on one of their devices.',
});
export type ConversationDeleted = Static<typeof ConversationDeleted>;
