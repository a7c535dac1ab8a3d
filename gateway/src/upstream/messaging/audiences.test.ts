import { create } from '@bufbuild/protobuf';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createAudiences, membersAt } from './audiences.ts';

const appId = '01970000-0000-7000-8000-000000000001';
const conversationId = '01970000-0000-7000-8000-000000000002';
const place = { appId, conversationId };
const identity = (userId: string) => ({ userId, displayName: userId.toUpperCase() });

/** Audiences of a service in which Ann and Bob take part since change 1, with the number of requests. */
function startAudiences() {
  const asked: number[] = [];
  const transport = createRouterTransport(({ service }) => {
    service(MessagingService, {
      getAudiences: ({ items }) => {
        asked.push(items.length);
        const members = ['ann', 'bob'].map((userId) => ({ identity: identity(userId), joinedSeq: 1 }));
        return { audiences: items.map(() => ({ ...place, seq: 1, membersSeq: 1, members })) };
      },
    });
  });
  return { asked, audiences: createAudiences(createClient(MessagingService, transport)) };
}

type Updated = { added?: ReturnType<typeof identity>[]; removedUserIds?: string[] };

function updated(seq: number, now: string[], changes: Updated) {
  const conversation = { appId, id: conversationId, participants: now.map(identity) };
  const value = { ...changes, conversation };
  return create(EventSchema, {
    ...place,
    seq,
    membersSeq: seq,
    body: { case: 'conversationUpdated', value },
  });
}

const namesAt = (audience: Parameters<typeof membersAt>[0], seq: number): string[] =>
  membersAt(audience, seq).map((member) => member.identity?.userId ?? '');

test('added and removed participants are learned from events, without fetching the audience again', async () => {
  const { asked, audiences } = startAudiences();
  await audiences.at(appId, conversationId, 1);
  audiences.learn(updated(2, ['ann', 'bob', 'eve'], { added: [identity('eve')] }));
  const second = audiences.peek(appId, conversationId, 2);
  expect(second && namesAt(second, 2)).toEqual(['ann', 'bob', 'eve']);
  expect(second && namesAt(second, 1)).toEqual(['ann', 'bob']);
  audiences.learn(updated(3, ['bob', 'eve'], { removedUserIds: ['ann'] }));
  const third = audiences.peek(appId, conversationId, 3);
  expect(third && namesAt(third, 3)).toEqual(['bob', 'eve']);
  expect(asked).toEqual([1]);
  await audiences.stop();
});

test.each([
  [
    'a participant whose adding was missed',
    updated(3, ['ann', 'bob', 'cem', 'eve'], { added: [identity('eve')] }),
  ],
  ['the removal of a participant was missed', updated(3, ['ann', 'eve'], { added: [identity('eve')] })],
  ['a change of metadata', create(EventSchema, { ...updated(3, ['ann', 'bob'], {}), membersSeq: 1 })],
  ['the past', updated(1, ['ann'], { removedUserIds: ['bob'] })],
])('nothing is learned from an event that does not fit the cached audience: %s', async (_what, event) => {
  const { audiences } = startAudiences();
  await audiences.at(appId, conversationId, 1);
  audiences.learn(event);
  expect(audiences.peek(appId, conversationId, 1)).toBeDefined();
  await audiences.stop();
});
