import { rm } from 'node:fs/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { newId } from '@parley/domain/ids';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { startNats, until, type TestNats } from '@parley/stack/testing';
import { startAnnouncement, type TestAnnouncement } from './support/service.ts';

let nats: TestNats;
let service: TestAnnouncement;

beforeAll(async () => {
  nats = await startNats();
  service = await startAnnouncement({ natsUrl: nats.url });
});
afterAll(async () => {
  await service?.stop();
  await nats?.stop();
});

test('a wiped stream gets the events of earlier announcements again, with their ids', async () => {
  const appId = newId();
  const events: Event[] = [];
  service.ctx.bus.subscribeLive(
    `event.${appId}.announcement.created`,
    (payload) => void events.push(...fromBinary(EventBatchSchema, payload).events),
  );
  await service.ctx.bus.flush();
  const announcementId = newId();
  await service.announcement.createAnnouncement({
    appId,
    id: announcementId,
    requestId: newId(),
    senderUserId: 'herald',
    recipientUserIds: ['ada', 'nobody'],
    parts: [{ id: newId(), mimeType: 'text/plain', body: 'hear' }],
  });
  const untilPublished = (what: string) => until(() => events[0], { withinMs: 30_000, what });
  const before = await untilPublished('it is published');
  const isStored = async () =>
    (await service.ctx.db.execute({ text: 'select from outbox' })) === 0 || undefined;
  await until(isStored, { withinMs: 20_000, what: 'nothing is left to be published' });
  await nats.kill();
  events.length = 0;
  await rm(nats.storeDir, { recursive: true });
  await nats.restart();
  expect(await untilPublished('it comes again')).toEqual(before);
  expect(before.body).toMatchObject({ value: { announcementId, skippedUserIds: ['nobody'] } });
}, 90_000);
