import { create } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { AudienceSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Connection } from '../../connection/connection.ts';
import { createHub } from '../../connection/hub.ts';
import { namesItsAudience, recipientsOf } from './recipients.ts';
import type { Arrival } from './recipients.ts';

/** Counts the recipients of an event at time 10,000 for a socket opened at `connectedAt` by the gateway's clock. */
function countRecipients(connectedAt: number, arrival: Arrival): number {
  const hub = createHub();
  hub.add({ caller: { appId: 'app', userId: 'ada' }, connectedAt } as Connection);
  const event = create(EventSchema, { appId: 'app', createdAt: 10_000, onlyUserIds: ['ada'] });
  return recipientsOf(hub, event, undefined, arrival).length;
}

test.each([
  ['live', 99_000, { repaired: false }, 1],
  ['repaired, by a clock 1.5 s ahead', 11_500, { repaired: true, aheadMs: 1_500 }, 1],
  ['repaired, by a clock 4 s ahead', 14_000, { repaired: true, aheadMs: 4_020 }, 1],
  ['repaired, by a clock 4 s behind', 6_000, { repaired: true, aheadMs: -3_980 }, 1],
  ['repaired, of a socket that came later', 10_100, { repaired: true, aheadMs: 20 }, 0],
  [
    'repaired, of a socket that came later by a clock 4 s behind',
    6_100,
    { repaired: true, aheadMs: -3_980 },
    0,
  ],
  ['repaired, by a clock of unknown difference', 15_000, { repaired: true }, 1],
  ['repaired, of a socket that surely came later', 15_001, { repaired: true }, 0],
])(
  'an event that is %s goes to sockets that were open when it happened',
  (_, connectedAt, arrival, count) => {
    expect(countRecipients(connectedAt, arrival)).toBe(count);
  },
);

test.each([
  ['as it happens names its participants', ['ada', 'bob'], true],
  ['from the change log needs the audience', [], false],
])('the deletion of a conversation %s', (_, participants, isNamed) => {
  const conversation = { participants: participants.map((userId) => ({ userId })) };
  const event = create(EventSchema, { body: { case: 'conversationDeleted', value: { conversation } } });
  expect(namesItsAudience(event)).toBe(isNamed);
});

test.each([
  ['takes part', { joinedSeq: 1 }, 1],
  ['is removed by the next change, a ban', { joinedSeq: 1, leftSeq: 6 }, 1],
  ['had left before', { joinedSeq: 1, leftSeq: 4 }, 0],
  ['was added later', { joinedSeq: 7 }, 0],
  ['never took part', undefined, 0],
])('a user who %s is told of their restriction accordingly', (_, membership, count) => {
  const hub = createHub();
  hub.add({ caller: { appId: 'app', userId: 'ada' }, connectedAt: 0 } as Connection);
  const members = membership ? [{ ...membership, identity: { userId: 'ada' } }] : [];
  const audience = create(AudienceSchema, { members, hasIncarnations: true });
  const body = { case: 'restrictionChanged' as const, value: { restriction: { user: { userId: 'ada' } } } };
  const event = create(EventSchema, { appId: 'app', seq: 5, createdAt: 1, onlyUserIds: ['ada'], body });
  expect(namesItsAudience(event)).toBe(false);
  expect(recipientsOf(hub, event, audience, { repaired: true })).toHaveLength(count);
});
