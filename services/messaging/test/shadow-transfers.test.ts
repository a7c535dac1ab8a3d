import { randomUUID } from 'node:crypto';
import { PolicyService } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import { RestoreService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { createRoom, getConversation, listAll, send, unreadCount } from './support/actions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

let service: TestMessaging;
beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());

test('an export names shadowed messages, and a restored one is seen by its sender alone', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId } = room;
  const target = { appId, userId: 'bob' };
  await send(service, room, 'ann');
  const policy = service.channel.client(PolicyService);
  await policy.putUserRestriction({ ...target, kind: 'shadow' });
  const hidden = await send(service, room, 'bob');
  await policy.deleteUserRestriction(target);
  await send(service, room, 'ann');
  const cutId = randomUUID();
  await service.exports.fixCut({ appId, cutId });
  const exported = [];
  for await (const { spans } of service.exports.exportMessages({ appId, cutId })) exported.push(...spans);
  expect(exported.flatMap(({ shadowed }) => shadowed)).toEqual([hidden.position]);

  const other = await createRoom(service, ['ann', 'bob']);
  const restored = { ...hidden, appId: other.appId, conversationId: other.conversationId, shadowed: true };
  const [one, two] = [1, 2].map((position) => ({ ...restored, id: randomUUID(), position }));
  const messages = [
    { message: one!, recipients: [] },
    { message: { ...two!, shadowed: false }, recipients: [{ userId: 'ann' }] },
  ];
  const restore = service.channel.client(RestoreService);
  for (let n = 0; n < 2; n++) await restore.restoreMessages({ appId: other.appId, messages });
  const positions = async (user: string) =>
    (await listAll(service, other, user, 1)).messages.map(({ message }) => message.position);
  expect(await positions('bob')).toEqual([2, 1]);
  expect(await positions('ann')).toEqual([2]);
  expect(await unreadCount(service, other, 'ann')).toBe(1);
  const { userView } = await getConversation(service, other, 'ann');
  expect(userView).toMatchObject({ totalMessageCount: 1, lastMessage: { id: two!.id } });
});
