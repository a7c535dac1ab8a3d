import Type, { type Static } from 'typebox';
import { UUID } from '../patterns.ts';
import { EXAMPLE, identityUri, uri } from '../schema/ids.ts';
import { count, named, nullable, oneOf, time } from '../schema/schema.ts';
import { PUSH_PROVIDERS, PUSH_STATUSES } from '../values.ts';

export const PushProvider = named(
  'PushProvider',
  oneOf(PUSH_PROVIDERS, 'Which push service it is sent by: `web` is that of the browser.'),
);
export type PushProvider = Static<typeof PushProvider>;

export const PushStatus = named(
  'PushStatus',
  oneOf(
    PUSH_STATUSES,
    'The push service has accepted a delivered push. A dead one has failed for good. A dropped one was not sent, since there was no reason left to show it.',
  ),
);
export type PushStatus = Static<typeof PushStatus>;

/** The properties by which events name a push. */
export const SettledPush = named(
  'SettledPush',
  Type.Object(
    {
      id: Type.String({
        pattern: `^${UUID}$`,
        description: 'Bare UUID, as in the list of pushes to the user.',
        examples: [EXAMPLE.delivery],
      }),
      recipient: identityUri('The user.'),
      device_id: Type.String({ description: 'The device that it was for.' }),
      provider: PushProvider,
      attempt_count: count('Attempts that it took.', 1),
      reason: nullable(Type.String({ description: 'Why it failed; null when it was delivered.' })),
    },
    { description: 'A push to one device that was delivered, or failed for good.' },
  ),
);

export type SettledPush = Static<typeof SettledPush>;

export const Push = named(
  'Push',
  Type.Object(
    {
      id: Type.String({ pattern: `^${UUID}$`, description: 'Bare UUID.', examples: [EXAMPLE.delivery] }),
      device_id: Type.String({ description: 'The device that it is for.' }),
      provider: PushProvider,
      message: nullable(uri('messages', 'The message; null for a push without one.')),
      conversation: nullable(uri('conversations', 'The conversation of the message.')),
      status: PushStatus,
      attempt_count: count('Attempts so far.'),
      reason: nullable(
        Type.String({ description: 'Why the last attempt failed, or why the push was dropped.' }),
      ),
      created_at: time('When the push was requested.'),
      next_attempt_at: nullable(time('When the next attempt is due; null once it is settled.')),
      settled_at: nullable(time('When it was delivered, given up or dropped.')),
    },
    { description: 'A push to one device of a user, without its text.' },
  ),
);
export type Push = Static<typeof Push>;
