import { fromBinary } from '@bufbuild/protobuf';
import { WITHDRAWAL_HINTS } from '@parley/domain/events';
import type { Subscription } from '@parley/kit/bus';
import { WithdrawalHintsSchema, type WithdrawalHint } from '@parley/proto/parley/live/v1/live_pb';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import { createRoom, receipt, send, type Room } from './support/actions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

let service: TestMessaging;
let subscription: Subscription;
let room: Room;
const hints: WithdrawalHint[] = [];

beforeAll(async () => {
  service = await startMessaging();
  subscription = service.ctx.bus.subscribeLive(
    WITHDRAWAL_HINTS,
    (payload) => void hints.push(...fromBinary(WithdrawalHintsSchema, payload).hints),
  );
  await service.ctx.bus.flush();
});
afterAll(async () => {
  subscription.close();
  await service.stop();
});
beforeEach(async () => {
  room = await createRoom(service, ['ann', 'bob', 'cem']);
});

/** Resolves when users of the room were named once each; '' stands for all. */
function hinted({ appId, conversationId }: Room, ...userIds: string[]): Promise<true> {
  return until(
    () => {
      const own = hints.filter((hint) => hint.appId === appId && hint.conversationId === conversationId);
      const named = own.map(({ userId }) => userId).toSorted();
      return named.join() === userIds.join() || undefined;
    },
    { withinMs: 15_000, what: `hints about ${userIds.join()}` },
  );
}

test('the push service hears who has read something of a conversation, and nothing of what was merely delivered', async () => {
  const first = await send(service, room, 'ann');
  const second = await send(service, room, 'ann');
  await receipt(service, { appId: room.appId, userId: 'cem', messageId: first.id }, 'delivery');
  await receipt(service, { appId: room.appId, userId: 'bob', messageId: second.id });
  await hinted(room, 'bob');
  const { position } = second;
  await service.messaging.markAllRead({ ...room, userId: 'cem', position });
  await hinted(room, 'bob', 'cem');
});

test('the push service hears of what was deleted for all participants, or hidden from one of them', async () => {
  const { id } = await send(service, room, 'ann');
  await service.messaging.deleteMessage({ ...room, id, userId: 'bob', mode: DeletionMode.MY_DEVICES });
  await hinted(room, 'bob');
  await service.messaging.deleteMessage({ ...room, id, userId: 'ann', mode: DeletionMode.ALL_PARTICIPANTS });
  await hinted(room, '', 'bob');
  const other = await createRoom(service, ['ann', 'bob'], room.appId);
  const mode = DeletionMode.MY_DEVICES;
  await service.messaging.deleteConversation({
    appId: room.appId,
    id: other.conversationId,
    userId: 'bob',
    mode,
    leave: true,
  });
  await hinted(other, 'bob');
});
