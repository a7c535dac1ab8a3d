import { problemIn } from '@parley/domain/testing/problems';
import { PolicyService } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import { createRoom, getConversation, type Room } from './support/actions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

// docs/protocol/types.md#restrictions-in-the-application

let service: TestMessaging;
let room: Room;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());

/** A conversation of Ann and Bob, who is under a shadow restriction. */
beforeEach(async () => {
  room = await createRoom(service, ['ann', 'bob']);
  await shadow();
});

const policy = () => service.channel.client(PolicyService);
const shadow = () => policy().putUserRestriction({ appId: room.appId, userId: 'bob', kind: 'shadow' });

test('an added user counts beside those whom a shadowed user seems to remove', async () => {
  const { appId, conversationId: id } = room;
  await policy().putType({ appId, type: { name: 'default', rules: { max_participants: 2 } } });
  const operations = [
    { step: { case: 'removeParticipant' as const, value: 'ann' } },
    { step: { case: 'addParticipant' as const, value: 'cem' } },
  ];
  const swapping = () => service.messaging.updateConversation({ appId, id, userId: 'bob', operations });
  expect(await problemIn(swapping())).toBe('invalid_property: participants');
  await policy().deleteUserRestriction({ appId, userId: 'bob' });
  await swapping();
  const { participants } = await getConversation(service, room, 'bob');
  expect(participants.map(({ userId }) => userId).sort()).toEqual(['bob', 'cem']);
});
