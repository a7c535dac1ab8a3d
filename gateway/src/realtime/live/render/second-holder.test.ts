import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { AudienceSchema, type Audience } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Connection } from '../../connection/connection.ts';
import { createHub } from '../../connection/hub.ts';
import { RENDERERS } from './index.ts';
import { recipientsOf } from './recipients.ts';

type Body = NonNullable<MessageInitShape<typeof EventSchema>['body']>;

/** The session of ann with this incarnation. */
function ann(incarnation: number) {
  return { userId: 'ann', incarnation };
}

function audienceOf(incarnation: number, hasIncarnations = true): Audience {
  const members = [{ identity: ann(incarnation), joinedSeq: 1 }];
  return create(AudienceSchema, { members, hasIncarnations });
}

type Addressed = { body: Body; audience?: Audience; onlyUserIds?: string[]; actor?: ReturnType<typeof ann> };

/** Whether the socket of ann's third incarnation gets an event. */
function isReached({ audience, ...fields }: Addressed): boolean {
  const hub = createHub();
  hub.add({ caller: { appId: 'app', userId: 'ann', incarnation: 3 }, connectedAt: 0 } as Connection);
  const event = create(EventSchema, { appId: 'app', seq: 2, createdAt: 1, ...fields });
  return recipientsOf(hub, event, audience, { repaired: false }).length > 0;
}

/** An event of each kind, addressed to ann in one of her incarnations. */
const EVENTS: Record<string, (incarnation: number) => Addressed> = {
  conversationCreated: (n) => ({
    body: { case: 'conversationCreated', value: { conversation: { participants: [ann(n)] } } },
  }),
  conversationUpdated: (n) => ({
    body: { case: 'conversationUpdated', value: { removedUserIds: ['ann'], removed: [ann(n)] } },
    audience: audienceOf(n),
  }),
  conversationDeleted: (n) => ({
    body: { case: 'conversationDeleted', value: { conversation: { participants: [ann(n)] } } },
  }),
  conversationHidden: (n) => own(n, { case: 'conversationHidden', value: { userId: 'ann' } }),
  conversationRelisted: (n) => own(n, { case: 'conversationRelisted', value: { userId: 'ann' } }),
  messageHidden: (n) => own(n, { case: 'messageHidden', value: { userId: 'ann' } }),
  messageCreated: (n) => shared(n, { case: 'messageCreated', value: {} }),
  messageDeleted: (n) => shared(n, { case: 'messageDeleted', value: {} }),
  messagePartsChanged: (n) => shared(n, { case: 'messagePartsChanged', value: {} }),
  messageUpdated: (n) => shared(n, { case: 'messageUpdated', value: {} }),
  reactionsChanged: (n) => shared(n, { case: 'reactionsChanged', value: {} }),
  restrictionChanged: (n) => ({
    body: { case: 'restrictionChanged', value: { restriction: { user: ann(n) } } },
    onlyUserIds: ['ann'],
    audience: audienceOf(n),
  }),
  receiptRecorded: (n) => shared(n, { case: 'receiptRecorded', value: { userId: 'bob' } }),
  allRead: (n) => shared(n, { case: 'allRead', value: { userId: 'bob' } }),
  allDelivered: (n) => shared(n, { case: 'allDelivered', value: { userId: 'bob' } }),
};

function own(incarnation: number, body: Body): Addressed {
  return { body, onlyUserIds: ['ann'], actor: ann(incarnation) };
}

function shared(incarnation: number, body: Body): Addressed {
  return { body, audience: audienceOf(incarnation) };
}

/**
 * Events addressed to the users who are present when they are published: by relations that an erasure ends, or by announcements that it
 * removes.
 */
const BY_PRESENT_USERS = [
  'identityChanged',
  'announcementReceived',
  'announcementReceiptRecorded',
  'announcementDeleted',
];

test('every event that becomes a packet is addressed to persons', () => {
  expect([...Object.keys(EVENTS), ...BY_PRESENT_USERS].sort()).toEqual(Object.keys(RENDERERS).sort());
});

test.each(Object.entries(EVENTS))(
  '%s reaches the person that it is addressed to, and not the next one',
  (_, eventOf) => {
    expect([isReached(eventOf(3)), isReached(eventOf(0)), isReached(eventOf(2))]).toEqual([
      true,
      false,
      false,
    ]);
  },
);

test('an audience of a release that does not say of which person a membership is reaches the user', () => {
  const body: Body = { case: 'messageDeleted', value: {} };
  expect(isReached({ body, audience: audienceOf(0, false) })).toBe(true);
});
