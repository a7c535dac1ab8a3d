import Type, { type Static } from 'typebox';
import { Message, RecipientStatus } from '../../records/message.ts';
import { MessageMetadata } from '../../records/metadata.ts';
import { Content, MessagePart } from '../../records/part.ts';
import { identityUri } from '../../schema/ids.ts';
import { count, named, nullable, oneOf, time } from '../../schema/schema.ts';
import { MessageObject, MessagePartObject } from '../object.ts';
import { createChange, deleteChange, updateChange } from './change.ts';
import {
  addStep,
  deleteStep,
  deleteStepAt,
  RECIPIENT_STATUS_PATH,
  removeStep,
  setStep,
  setStepAt,
} from './step.ts';

const PartId = MessagePartObject.properties.id;

export const MessageCreated = createChange('MessageCreatedChange', {
  object: MessageObject,
  data: Message,
  description:
    'A message was sent. The sender’s own sockets get it too. In a large conversation only the sender finds the status of every recipient in `recipient_status`; the others find the sender’s alone.',
});
export type MessageCreated = Static<typeof MessageCreated>;

export const MessageStep = named(
  'MessageStep',
  Type.Union([
    setStepAt(RECIPIENT_STATUS_PATH.pattern, {
      description: RECIPIENT_STATUS_PATH.description,
      value: RecipientStatus,
    }),
    addStep('parts', { id: PartId, value: MessagePart }),
    removeStep('parts', PartId),
    setStep('metadata', MessageMetadata),
    deleteStep('metadata'),
    setStepAt('^metadata\\.', {
      description: 'A key of the metadata.',
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), MessageMetadata]),
    }),
    deleteStepAt('^metadata\\.', 'A key of the metadata.'),
    setStepAt('^reactions\\..+\\.count$', {
      description:
        'After `reactions.` the key, each dot in it written as `\\.`: how many users react with it.',
      value: count('Users.', 1),
    }),
    setStepAt('^reactions\\..+\\.recent$', {
      description: 'Who reacted with the key last, newest first.',
      value: Type.Array(identityUri('A user.')),
    }),
    setStepAt('^reactions\\..+\\.own$', {
      description: 'The user reacts with the key: only on their own sockets.',
      value: Type.Literal(true),
    }),
    deleteStepAt(
      '^reactions\\.',
      'A key with which nobody reacts any more; or its `own`, when the user does not react with it.',
    ),
  ]),
);

export const MessageUpdated = updateChange('MessageUpdatedChange', {
  object: MessageObject,
  step: MessageStep,
  description:
    'A recipient received or read the message, which only the sender and the recipient’s other sockets are sent; or its sender added or removed parts; its metadata changed; or users reacted to it, gathered for up to 250 ms.',
});
export type MessageUpdated = Static<typeof MessageUpdated>;

export const DeletionMode = named(
  'DeletionMode',
  oneOf(
    ['all_participants', 'my_devices'],
    'For whom: for everybody, or for the user alone, on all of their devices.',
  ),
);

export const MessageDeleted = deleteChange('MessageDeletedChange', {
  object: MessageObject,
  data: Type.Object({ mode: DeletionMode }),
  description: 'The message was deleted for all, or the user hid it on one of their devices.',
});
export type MessageDeleted = Static<typeof MessageDeleted>;

export const MessagePartStep = named(
  'MessagePartStep',
  Type.Union([
    setStep('body', nullable(Type.String())),
    setStep('mime_type', Type.String()),
    setStep('encoding', nullable(oneOf(['base64'], 'For a body that is not text.'))),
    setStep('content', nullable(Content)),
    setStep('updated_at', nullable(time('When the part was last changed.'))),
    setStep('filename', Type.String()),
    deleteStep('filename'),
  ]),
);

export const MessagePartUpdated = updateChange('MessagePartUpdatedChange', {
  object: MessagePartObject,
  step: MessagePartStep,
  description:
    'The sender edited a part: five steps, for all that can have changed; one more sets `filename`, or deletes it where the part had one before.',
});
export type MessagePartUpdated = Static<typeof MessagePartUpdated>;
