import { rm } from 'node:fs/promises';
import { BlockStep_Operation } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { startNats, until, type TestNats } from '@parley/testing';
import { createTestApp } from './support/app.ts';
import { listenToEvents, startIdentity, type Platform } from './support/platform.ts';

let nats: TestNats;
let platform: Platform;

beforeAll(async () => {
  nats = await startNats();
  platform = await startIdentity({ natsUrl: nats.url });
});
afterAll(async () => {
  await platform?.stop();
  await nats?.stop();
});

test('a wiped stream gets its events again, with their ids and the present identities, and nothing of erased users', async () => {
  const { uuid: appId } = await createTestApp(platform);
  // Subscribed on the service's connection: another connection may be back only after the events are published.
  const { events, close } = await listenToEvents(platform.service.context.bus, appId);
  const create = (userId: string) =>
    platform.identity.createIdentity({ identity: { appId, userId, displayName: `first of ${userId}` } });
  await create('ada');
  await create('bob');
  await create('gone');
  await platform.identity.updateIdentity({
    identity: { appId, userId: 'ada', displayName: 'now' },
    fields: ['display_name'],
  });
  await platform.relations.updateBlocks({
    appId,
    ownerUserId: 'ada',
    steps: [{ operation: BlockStep_Operation.ADD, userIds: ['bob'] }],
  });
  await platform.identity.eraseUser({ appId, userId: 'gone' });
  const seen = (what: string) =>
    until(
      () => {
        // An event may be published twice with the same id.
        const byId = new Map(events.map((event) => [event.id, event]));
        if (byId.size >= 7) return byId;
        platform.clock.advance(5_000);
        return undefined;
      },
      { withinMs: 20_000, what },
    );
  const before = await seen('all is published');
  const { outbox, db } = platform.service.context;
  const isStored = async () => {
    await outbox.sweep();
    return (await db.execute({ text: 'select from outbox' })) === 0 || undefined;
  };
  await until(isStored, { withinMs: 20_000, what: 'nothing is left to be published' });
  await nats.kill();
  events.length = 0;
  await rm(nats.storeDir, { recursive: true });
  await nats.restart();
  const again = await seen('the events come again');
  close();
  expect([...again.keys()].toSorted()).toEqual([...before.keys()].toSorted());
  const names = [...again.values()].flatMap(({ body }) =>
    body.case === 'identityChanged'
      ? `${body.value.identity?.userId}: ${body.value.identity?.displayName}`
      : [],
  );
  expect(names.toSorted()).toEqual([
    'ada: now',
    'ada: now',
    'bob: first of bob',
    'gone: undefined',
    'gone: undefined',
  ]);
}, 60_000);
