import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { countAppRows } from '@parley/kit/testing/app-rows';
import { expectRemoval } from '@parley/kit/testing/app-removal';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { startNats, until, type TestNats } from '@parley/testing';
import { createRoom, send } from './support/actions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

describe('a deleted application', () => {
  let service: TestMessaging;
  let nats: TestNats;

  beforeEach(async () => {
    nats = await startNats();
    service = await startMessaging({ natsUrl: nats.url });
  });
  afterEach(async () => {
    await service.stop();
    await nats.stop();
  });

  const publish = async (appId: string, body: MessageInitShape<typeof EventSchema>['body']) => {
    const event = create(EventSchema, { id: newId(), appId, createdAt: Date.now(), ...(body && { body }) });
    const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
    await service.ctx.bus.publish(durableSubject(event), payload, { msgId: event.id });
  };
  const deleteApp = (appId: string) => publish(appId, { case: 'appDeleted', value: {} });
  const changeIdentity = (appId: string) =>
    publish(appId, { case: 'identityChanged', value: { identity: { appId, userId: 'late', version: 7 } } });

  test('leaves no row in any table, and a late event of it adds none', async () => {
    const { db } = service.ctx;
    const room = await createRoom(service, ['ann', 'bob']);
    await send(service, room, 'ann');
    const other = await createRoom(service, ['ann', 'bob']);
    await send(service, other, 'ann');
    const appIds = { deleted: room.appId, other: other.appId };
    await expectRemoval({ db, appIds, deleteApp, transient: ['erasure', 'push_order', 'scheduled_message'] });
    expect((await countAppRows(db, other.appId))['message']).toBe(2);

    await changeIdentity(room.appId);
    await publish(room.appId, { case: 'userErased', value: { userId: 'late', blocksUntil: 9 } });
    await changeIdentity(other.appId);
    const text = `select from identity_copy where app_id = $1 and user_id = 'late'`;
    await until(async () => (await db.execute({ text, values: [other.appId] })) === 1 || undefined, {
      withinMs: 10_000,
      what: 'the event of the other application is handled',
    });
    expect(await countAppRows(db, room.appId)).toEqual({ app_tombstone: 1 });
  }, 60_000);
});
