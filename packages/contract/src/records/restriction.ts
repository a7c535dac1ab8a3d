import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { identityUri } from '../schema/ids.ts';
import { named, nullable, oneOf, optional, storedText, time } from '../schema/schema.ts';
import { BasicIdentity } from './identity.ts';

const KIND = oneOf(['mute', 'ban'], '`mute`: the user may not write. `ban`: the user may not take part.');
const SHOWN_KIND = oneOf(
  ['mute', 'ban', 'shadow'],
  '`mute`: the user may not write. `ban`: the user may not take part. `shadow`: what the user writes reaches nobody; of the whole application, and in webhooks and exports alone.',
);
const UNTIL = nullable(time('When it ends by itself; null: it has no end.'));
const REASON = nullable(Type.String({ description: 'Why; null: not said.' }));

export const Restriction = named(
  'Restriction',
  Type.Object(
    {
      user: BasicIdentity,
      type: SHOWN_KIND,
      until: UNTIL,
      reason: REASON,
      created_by: nullable(identityUri('Who restricted the user; null: a server.')),
      created_at: time('Since when.'),
    },
    { description: 'Keeps a user from writing, or from taking part.' },
  ),
);
export type Restriction = Static<typeof Restriction>;

export const OwnRestriction = named(
  'OwnRestriction',
  Type.Object(
    {
      type: KIND,
      until: UNTIL,
      reason: REASON,
      scope: oneOf(['app', 'conversation'], 'Where it holds.'),
    },
    { description: 'A restriction of the reader, while it is in force.' },
  ),
);
export type OwnRestriction = Static<typeof OwnRestriction>;

const INPUT = {
  until: optional({
    ...time('When it ends by itself, in the future; left out: it has no end.'),
    examples: ['2099-12-31T23:59:59.999Z'],
  }),
  reason: optional(storedText('Why. The user reads it.', limits.restrictionReason)),
};

export const RestrictionInput = named(
  'RestrictionInput',
  Type.Object({ type: KIND, ...INPUT }, { description: 'A restriction of a user in a conversation.' }),
);
export type RestrictionInput = Static<typeof RestrictionInput>;

export const UserRestrictionInput = named(
  'UserRestrictionInput',
  Type.Object(
    {
      type: oneOf(
        ['mute', 'shadow'],
        '`mute`: the user may not write. `shadow`: what the user writes from then on reaches nobody, and the user is not told.',
      ),
      ...INPUT,
    },
    { description: 'A restriction of a user in the whole application.' },
  ),
);
export type UserRestrictionInput = Static<typeof UserRestrictionInput>;
