import { rm } from 'node:fs/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { newId } from '@parley/domain/ids';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { keepNatsFiles, startNats, until, type TestNats } from '@parley/testing';
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

async function wipe(): Promise<void> {
  await nats.kill();
  await rm(nats.storeDir, { recursive: true });
  await nats.restart();
}

test.each(['wiped', 'older'])(
  'a stream that comes back %s gets the events of announcements again, with their ids',
  async (how) => {
    const appId = newId();
    const comeBack = how === 'older' ? await keepNatsFiles(nats) : wipe;
    await until(() => service.ctx.bus.connected || undefined, { withinMs: 60_000, what: 'NATS is back' });
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
    const untilPublished = (what: string) => until(() => events[0], { withinMs: 60_000, what });
    const before = await untilPublished('it is published');
    const isStored = async () =>
      (await service.ctx.db.execute({ text: 'select from outbox' })) === 0 || undefined;
    await until(isStored, { withinMs: 20_000, what: 'nothing is left to be published' });
    events.length = 0;
    await comeBack();
    expect(await untilPublished('it comes again')).toEqual(before);
    expect(before.body).toMatchObject({ value: { announcementId, skippedUserIds: ['nobody'] } });
  },
  180_000,
);
