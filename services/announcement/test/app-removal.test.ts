import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { expectRemoval } from '@parley/kit/testing/app-removal';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { startNats, type TestNats } from '@parley/testing';
import { insertErasures } from '../src/sql/erasure.ts';
import { startAnnouncement, type TestAnnouncement } from './support/service.ts';

let service: TestAnnouncement;
let nats: TestNats;

beforeAll(async () => {
  nats = await startNats();
  service = await startAnnouncement({ natsUrl: nats.url });
});
afterAll(async () => {
  await service.stop();
  await nats.stop();
});

test('a deleted application leaves nothing in any table', async () => {
  const { db, bus } = service.ctx;
  const appIds = { deleted: randomUUID(), other: randomUUID() };
  for (const appId of Object.values(appIds)) {
    await insertErasures(db, [{ appId, userId: 'eva', version: 1 }]);
    await service.announcement.createAnnouncement({
      appId,
      id: newId(),
      requestId: newId(),
      senderUserId: 'eve',
      recipientUserIds: ['ann', 'bob'],
      parts: [{ id: newId(), mimeType: 'a/b', body: 'x' }],
    });
  }
  const deleteApp = async (appId: string): Promise<void> => {
    const body = { case: 'appDeleted' as const, value: {} };
    const event = create(EventSchema, { id: newId(), appId, createdAt: Date.now(), body });
    const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
    await bus.publish(durableSubject(event), payload, { msgId: event.id });
  };
  // The queues may have worked these rows off and deleted them before the removal.
  await expectRemoval({ db, appIds, deleteApp, transient: ['erasure', 'fan_out'] });
}, 60_000);
