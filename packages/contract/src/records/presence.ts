import Type, { type Static } from 'typebox';
import { named, nullable, oneOf, time } from '../schema/schema.ts';
import { NO_PRESENCE_CHOICE, PRESENCE_STATUSES } from '../values.ts';

export const PresenceStatus = named(
  'PresenceStatus',
  oneOf(PRESENCE_STATUSES, 'What a user appears as. Only the user themselves ever sees `invisible`.'),
);
export type PresenceStatus = Static<typeof PresenceStatus>;

export const Presence = named(
  'Presence',
  Type.Object(
    {
      status: PresenceStatus,
      last_seen_at: nullable(time('Last sign of life; null for a user who has never connected.')),
    },
    { description: 'Whether a user is there.' },
  ),
);
export type Presence = Static<typeof Presence>;

export const PresenceInput = named(
  'PresenceInput',
  Type.Object(
    {
      status: oneOf(
        [...PRESENCE_STATUSES, NO_PRESENCE_CHOICE],
        'The choice is kept across connections; `auto` ends it: available while connected, else offline.',
      ),
    },
    { description: 'What the user wants to appear as.' },
  ),
);
export type PresenceInput = Static<typeof PresenceInput>;
