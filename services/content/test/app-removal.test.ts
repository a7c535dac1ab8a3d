import { existsSync } from 'node:fs';
import { create, toBinary } from '@bufbuild/protobuf';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { expectRemoval } from '@parley/kit/testing/app-removal';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { startNats, type TestNats } from '@parley/testing';
import { createLife } from './support/life.ts';
import { startContent, type Platform } from './support/platform.ts';

let platform: Platform;
let nats: TestNats;
const { uploaded, claim } = createLife(() => platform);

beforeAll(async () => {
  nats = await startNats();
  platform = await startContent({ natsUrl: nats.url });
});
afterAll(async () => {
  await platform.stop();
  await nats.stop();
});

test('a deleted application leaves nothing in any table, and nothing in the store', async () => {
  const appIds = { deleted: newId(), other: newId() };
  const [upload, other] = [await uploaded(10, appIds.deleted), await uploaded(10, appIds.other)];
  await claim(upload, newId());
  const deleteApp = async (appId: string): Promise<void> => {
    const body = { case: 'appDeleted' as const, value: {} };
    const event = create(EventSchema, { id: newId(), appId, createdAt: platform.clock.now(), body });
    const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
    await platform.bus.publish(durableSubject(event), payload, { msgId: event.id });
  };
  await expectRemoval({
    ...{ db: platform.db, appIds, deleteApp },
    // Messaging knows no message of the claims: they lapse.
    transient: ['erasure', 'deleted_app', 'deleted_conversation', 'content_message', 'content_reference'],
    pass: () => platform.clock.advance(3_000),
  });
  const pathOf = ({ appId, id }: typeof upload) => `${platform.folder}/content/${appId}/${id}`;
  expect([existsSync(pathOf(upload)), existsSync(pathOf(other))]).toEqual([false, true]);
}, 60_000);
