import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { count, named, only } from '../schema/schema.ts';
import { BlockStep } from './block.ts';
import { Identity } from './identity.ts';

export const User = named(
  'User',
  Type.Object(
    {
      identity: Identity,
      suspended: Type.Boolean({ description: 'Whether the user is kept from logging in and acting.' }),
    },
    { description: 'A user as the servers of the app see them.' },
  ),
);
export type User = Static<typeof User>;

export const SuspensionStep = named(
  'SuspensionStep',
  Type.Object(
    {
      operation: only('set', 'Gives the property a value.'),
      property: only('suspended', 'Whether the user is suspended.'),
      value: Type.Boolean({
        description: 'True suspends the user and ends their sessions; false lets them back.',
      }),
    },
    { description: 'Suspends a user, or ends the suspension.' },
  ),
);

export const UserPatch = Type.Array(Type.Union([SuspensionStep, BlockStep]), {
  maxItems: limits.patchOperations,
  description: 'Changes of suspension and blocks; none is made when one of them is not valid.',
});
export type UserPatch = Static<typeof UserPatch>;

const EXTERNAL_COUNT = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Unread things outside the platform, which the application counts; part of a device's badge.",
});

export const Badge = named(
  'Badge',
  Type.Object(
    {
      external_unread_count: EXTERNAL_COUNT,
      unread_conversation_count: count('Conversations with unread messages.'),
      unread_message_count: count('Unread messages in all conversations.'),
    },
    { description: "The numbers that make a user's badge." },
  ),
);
export type Badge = Static<typeof Badge>;

export const BadgeInput = named(
  'BadgeInput',
  Type.Object({ external_unread_count: EXTERNAL_COUNT }, { description: 'The external count of a badge.' }),
);
export type BadgeInput = Static<typeof BadgeInput>;
