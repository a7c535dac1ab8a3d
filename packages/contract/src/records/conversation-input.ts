import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { STORABLE_TEXT, TYPE_NAME } from '../patterns.ts';
import { idInput, identityInput, userProperty } from '../schema/ids.ts';
import { ROLES } from '../policy.ts';
import { count, mapOf, named, oneOf, only, optional } from '../schema/schema.ts';
import { Metadata } from './metadata.ts';

export const ConversationInput = named(
  'ConversationInput',
  Type.Object(
    {
      participants: Type.Array(identityInput('A participant, who needs an identity.'), {
        description:
          'A user who creates the conversation takes part without being named; at most 250 with them, unless the platform is set up otherwise. A server names at least one.',
      }),
      distinct: optional(
        Type.Boolean({
          description:
            'Asks for the one distinct conversation of these participants, and creates it when there is none. Default false.',
        }),
      ),
      metadata: optional(Metadata),
      type: optional(
        Type.String({
          pattern: TYPE_NAME,
          description: 'The name of its type, which stays. Default: `default`.',
        }),
      ),
      roles: optional(
        mapOf(oneOf(ROLES, 'The role.'), {
          description: 'Only of servers: roles of participants, by their URI or user id.',
        }),
      ),
      id: optional(idInput('conversations', 'The id of the new conversation; made when left out.')),
    },
    { description: 'A conversation to create.' },
  ),
);
export type ConversationInput = Static<typeof ConversationInput>;

/** The path of a key in the metadata of a record. */
export const METADATA_KEY = Type.String({
  pattern: '^metadata\\.',
  description:
    'A path into the metadata such as `metadata.colours.background`; a dot within a key is written `\\.`.',
  examples: ['metadata.topic'],
});

export const SetMetadata = named(
  'SetMetadata',
  Type.Object(
    { operation: Type.Literal('set'), property: Type.Literal('metadata'), value: Metadata },
    { description: 'Replaces all metadata.' },
  ),
);

export const SetMetadataKey = named(
  'SetMetadataKey',
  Type.Object(
    {
      operation: Type.Literal('set'),
      property: METADATA_KEY,
      value: Type.Union([Type.String({ pattern: STORABLE_TEXT }), Metadata]),
    },
    { description: 'Sets a key of the metadata. Objects that are missing on its path are made.' },
  ),
);

export const DeleteMetadata = named(
  'DeleteMetadata',
  Type.Object(
    { operation: Type.Literal('delete'), property: Type.Literal('metadata') },
    { description: 'Deletes all metadata.' },
  ),
);

export const DeleteMetadataKey = named(
  'DeleteMetadataKey',
  Type.Object(
    { operation: Type.Literal('delete'), property: METADATA_KEY },
    { description: 'Deletes a key of the metadata, if it is there.' },
  ),
);

const HISTORY = Type.Enum(['all', 'none'], {
  type: 'string',
  description:
    'The messages that the added users see from the time before they took part: `all`, the default, or `none`.',
});

export const ShowHistory = named(
  'ShowHistory',
  Type.Object(
    {
      operation: Type.Literal('set'),
      property: userProperty('history', '`history.` and the user id.'),
      value: Type.Literal('all'),
    },
    {
      description:
        'Shows a user who was added without the history all of it. Servers only; for users 403 `access_denied`.',
    },
  ),
);

export const ChangeParticipant = named(
  'ChangeParticipant',
  Type.Object(
    {
      operation: Type.Enum(['add', 'remove'], { type: 'string' }),
      property: Type.Literal('participants'),
      id: identityInput('The user who is added or removed.'),
      history: optional(HISTORY),
    },
    {
      description:
        'Adds or removes one participant; the key `value` is taken for `id` too. Removing oneself is leaving. The conversation is not distinct any more.',
    },
  ),
);

export const SetParticipants = named(
  'SetParticipants',
  Type.Object(
    {
      operation: Type.Literal('set'),
      property: Type.Literal('participants'),
      value: Type.Array(identityInput('A participant.'), { minItems: 1 }),
      history: optional(HISTORY),
    },
    { description: 'Replaces all participants. The conversation is not distinct any more.' },
  ),
);

const ROLE_KEY = userProperty('roles', '`roles.` and the user id or the URI of the identity.', { uri: true });

export const SetRole = named(
  'SetRole',
  Type.Object(
    { operation: only('set', 'Gives a role.'), property: ROLE_KEY, value: oneOf(ROLES, 'The role.') },
    { description: 'Gives a participant a role.' },
  ),
);

export const DeleteRole = named(
  'DeleteRole',
  Type.Object(
    { operation: only('delete', 'Takes a role away.'), property: ROLE_KEY },
    { description: 'Makes a participant a member.' },
  ),
);

export const SetFrozen = named(
  'SetFrozen',
  Type.Object(
    { operation: Type.Literal('set'), property: Type.Literal('frozen'), value: Type.Boolean() },
    { description: 'Freezes the conversation, or ends that.' },
  ),
);

export const SetSlowMode = named(
  'SetSlowMode',
  Type.Object(
    {
      operation: Type.Literal('set'),
      property: Type.Literal('slow_mode_in_seconds'),
      value: Type.Integer({
        minimum: 0,
        maximum: limits.slowModeInSeconds,
        description: '0: as the type says.',
      }),
    },
    { description: 'Sets the least time between two messages of a participant.' },
  ),
);

export const ConversationPatch = named(
  'ConversationPatch',
  Type.Array(
    Type.Union([
      SetMetadata,
      SetMetadataKey,
      DeleteMetadata,
      DeleteMetadataKey,
      ChangeParticipant,
      SetParticipants,
      SetRole,
      DeleteRole,
      SetFrozen,
      SetSlowMode,
      ShowHistory,
    ]),
    {
      maxItems: limits.patchOperations,
      description: `Operations that are applied in order, all of them or none. The metadata keep within their limits after each; what all operations name and set of it has at most ${limits.metadataPatchBytes} bytes.`,
    },
  ),
);
export type ConversationPatch = Static<typeof ConversationPatch>;

export const MarkAllReadInput = named(
  'MarkAllReadInput',
  Type.Object(
    {
      position: optional(
        count('Position of the last message that is read; beyond the last, or null: all messages.'),
      ),
    },
    { description: 'How far the user has read.' },
  ),
);
export type MarkAllReadInput = Static<typeof MarkAllReadInput>;

export const MarkedRead = named(
  'MarkedRead',
  Type.Object(
    { position: count('Up to which position messages are read now, at most that of the last one.') },
    { description: 'How far the messages of a conversation are marked read.' },
  ),
);
export type MarkedRead = Static<typeof MarkedRead>;

export const MarkAllDeliveredInput = named(
  'MarkAllDeliveredInput',
  Type.Object(
    {
      position: optional(
        count('Position of the last message that a device has; beyond the last, or null: all messages.'),
      ),
    },
    { description: 'How far a device of the user has the messages of a conversation.' },
  ),
);
export type MarkAllDeliveredInput = Static<typeof MarkAllDeliveredInput>;

export const MarkedDelivered = named(
  'MarkedDelivered',
  Type.Object(
    { position: count('Up to which position messages are delivered now, at most that of the last one.') },
    { description: 'How far the messages of a conversation are marked delivered.' },
  ),
);
export type MarkedDelivered = Static<typeof MarkedDelivered>;
