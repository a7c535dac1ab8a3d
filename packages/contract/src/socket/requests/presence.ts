import Type from 'typebox';
import { limits } from '../../limits.ts';
import { PresenceInput } from '../../records/presence.ts';
import { identityInput } from '../../schema/ids.ts';
import { named, optional, time } from '../../schema/schema.ts';
import { IdentityUpdated } from '../changes/identity.ts';
import type { SocketMethod } from './request.ts';

const Ids = Type.Array(identityInput('A user.'), {
  description: 'At most `presence_ids` of the limits, by default 1,000.',
});

const SubscribeInput = Type.Object({ ids: optional(Ids) });

const UpdateStep = Type.Object({
  operation: Type.Literal('set'),
  property: Type.Enum(['status', 'presence.status'], { type: 'string' }),
  value: PresenceInput.properties.status,
});

const UpdateInput = Type.Array(UpdateStep, {
  minItems: 1,
  maxItems: limits.patchOperations,
  description: 'The last step counts.',
});

const SyncInput = Type.Union([
  Type.Object({ ids: Ids, since: optional(time('Leaves out users whose presence has not changed since.')) }),
  Type.Object({ since: time('Only users whose presence has changed since.') }),
]);

const SyncResult = named(
  'PresenceChanges',
  Type.Object({
    changes: Type.Array(IdentityUpdated, { description: 'One for each user.' }),
    complete: Type.Optional(
      Type.Literal(false, {
        description: 'There are more users than the answer holds: ask for the others by `ids`.',
      }),
    ),
  }),
);

export const PRESENCE_METHODS = {
  'Presence.subscribe': {
    id: 'subscribePresence',
    summary: 'Subscribe to the presence of users',
    description:
      'From now on the socket is sent changes of the presence of the users in `ids`; without `ids`, of all whom the user follows, also of those followed later. Subscriptions add up and end with the socket. The present state is not sent: `Presence.sync` reads it.',
    data: { schema: SubscribeInput, required: false, example: { ids: ['svc:///identities/bob'] } },
    result: { schema: Type.Object({}), example: {} },
    errors: ['invalid_request', 'invalid_property', 'invalid_operation'],
  },
  'Presence.update': {
    id: 'updatePresence',
    summary: 'Choose the presence that others see',
    description:
      'The choice is kept across connections. Without a socket a user is offline to others, whatever they chose.',
    data: {
      schema: UpdateInput,
      required: true,
      example: [{ operation: 'set', property: 'status', value: 'busy' }],
    },
    result: { schema: Type.Object({}), example: {} },
    errors: ['invalid_request', 'missing_property', 'invalid_property'],
  },
  'Presence.sync': {
    id: 'syncPresence',
    summary: 'Read the presence of users',
    description:
      'The present presence of the users in `ids`; or, without `ids`, of those among the users subscribed to, or else followed, whose presence has changed since a time.',
    data: { schema: SyncInput, required: true, example: { ids: ['svc:///identities/bob'] } },
    result: {
      schema: SyncResult,
      example: {
        changes: [
          {
            operation: 'update',
            object: {
              type: 'Identity',
              id: 'svc:///identities/bob',
              url: 'https://chat.example.com/identities/bob',
            },
            data: [
              { operation: 'set', property: 'presence.status', value: 'available' },
              { operation: 'set', property: 'presence.last_seen_at', value: '2026-11-20T20:15:30.123Z' },
            ],
          },
        ],
      },
    },
    errors: ['invalid_request', 'missing_property', 'invalid_property'],
  },
} satisfies Readonly<Record<string, SocketMethod>>;
