import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { idInput, identityInput } from '../schema/ids.ts';
import { named, oneOf, optional } from '../schema/schema.ts';
import { STORABLE_TEXT } from '../patterns.ts';
import { DeleteMetadata, DeleteMetadataKey, METADATA_KEY } from './conversation-input.ts';
import { MessageMetadata, METADATA_NUMBER } from './metadata.ts';
import { NotificationInput } from './notification.ts';
import { PartsInput } from './part.ts';

const CONTENTS = {
  parts: PartsInput,
  notification: optional(NotificationInput),
  metadata: optional(MessageMetadata),
  id: optional(idInput('messages', 'The id of the new message; made when left out.')),
};

export const MessageInput = named(
  'MessageInput',
  Type.Object(CONTENTS, { description: 'A message to send. Without a notification no push is sent.' }),
);
export type MessageInput = Static<typeof MessageInput>;

export const Schedule = named(
  'Schedule',
  Type.Object(
    {
      delay_in_seconds: Type.Number({
        minimum: limits.minDelaySeconds,
        maximum: limits.maxDelaySeconds,
        description: 'After how long the message is sent.',
      }),
      typing_indicator_in_seconds: optional(
        Type.Number({
          minimum: limits.minDelaySeconds,
          maximum: limits.maxDelaySeconds,
          description:
            'How long before that the sender appears to be typing; at most `delay_in_seconds`. Not at all when left out.',
        }),
      ),
    },
    { description: 'When a message is sent.' },
  ),
);
export type Schedule = Static<typeof Schedule>;

const SignificanceLevel = oneOf(
  ['normal', 'low'],
  'A message of `low` significance raises no unread count and sends no push.',
);

export const Significance = named(
  'Significance',
  Type.Object(
    {
      default: optional(SignificanceLevel),
      recipients: optional(
        Type.Unsafe<Record<string, 'normal' | 'low'>>({
          type: 'object',
          propertyNames: identityInput('A recipient.'),
          additionalProperties: SignificanceLevel,
          maxProperties: limits.significanceRecipients,
          description: 'By identity: the recipients for whom it is not the default.',
          examples: [{ 'svc:///identities/bob': 'normal' }],
        }),
      ),
    },
    { description: 'How much a message matters to its recipients; `normal` to all when left out.' },
  ),
);
export type Significance = Static<typeof Significance>;

const SERVER_CONTENTS = {
  sender_id: identityInput(
    'The sender: a participant, or any bot. `sender.name` and `sender.user_id` are refused.',
  ),
  ...CONTENTS,
  significance: optional(Significance),
};

export const ServerMessageInput = named(
  'ServerMessageInput',
  Type.Object(
    { ...SERVER_CONTENTS, schedule: optional(Schedule) },
    { description: 'A message that a server sends in the name of a user or a bot.' },
  ),
);
export type ServerMessageInput = Static<typeof ServerMessageInput>;

export const MessageBatch = named(
  'MessageBatch',
  Type.Array(Type.Object({ ...SERVER_CONTENTS, schedule: Type.Optional(Type.Null()) }), {
    minItems: 1,
    maxItems: limits.batchMessages,
    description: 'Messages of one conversation, none of them scheduled, each with an id of its own.',
  }),
);
export type MessageBatch = Static<typeof MessageBatch>;

export const SetMessageMetadata = named(
  'SetMessageMetadata',
  Type.Object(
    { operation: Type.Literal('set'), property: Type.Literal('metadata'), value: MessageMetadata },
    { description: 'Replaces all metadata.' },
  ),
);

export const SetMessageMetadataKey = named(
  'SetMessageMetadataKey',
  Type.Object(
    {
      operation: Type.Literal('set'),
      property: METADATA_KEY,
      value: Type.Union([
        Type.String({ pattern: STORABLE_TEXT }),
        METADATA_NUMBER,
        Type.Boolean(),
        MessageMetadata,
      ]),
    },
    { description: 'Sets a key of the metadata. Objects that are missing on its path are made.' },
  ),
);

export const MessagePatch = named(
  'MessagePatch',
  Type.Array(Type.Union([SetMessageMetadata, SetMessageMetadataKey, DeleteMetadata, DeleteMetadataKey]), {
    maxItems: limits.patchOperations,
    description: `Steps that are applied in order, all of them or none. The metadata keep within their limits after each; what all steps name and set has at most ${limits.metadataPatchBytes} bytes.`,
  }),
);
export type MessagePatch = Static<typeof MessagePatch>;
