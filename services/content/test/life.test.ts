import { existsSync } from 'node:fs';
import { create, toBinary } from '@bufbuild/protobuf';
import { newId } from '@parley/domain/ids';
import { durableSubject } from '@parley/domain/events';
import { EventBatchSchema, EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { startNats, until, type TestNats } from '@parley/testing';
import { expectProblem } from '@parley/domain/testing/problems';
import { conversationOf, createLife, messageWith } from './support/life.ts';
import { startContent, type Platform } from './support/platform.ts';
import {
  askStatus,
  createUpload,
  PIECE,
  randomData,
  send,
  sendPiece,
  type Upload,
} from './support/client.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let platform: Platform;
const { uploaded, claim, isThere, references, pass } = createLife(() => platform);
let nats: TestNats;
// Consumers of other tests would share the events.
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());
beforeEach(async () => {
  platform = await startContent({ natsUrl: nats.url });
});
afterEach(() => platform.stop());

function pathOf({ appId, id }: Upload): string {
  return `${platform.folder}/content/${appId}/${id}`;
}

async function publish(
  appId: string,
  fields: { seq?: number; conversationId?: string; body: Event['body'] },
) {
  const event = create(EventSchema, { id: newId(), appId, createdAt: platform.clock.now(), ...fields });
  const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
  await platform.bus.publish(durableSubject(event), payload, { msgId: event.id });
}

function eventually(what: string, isSo: () => Promise<boolean> | boolean) {
  return until(async () => ((await isSo()) ? true : undefined), { withinMs: 10_000, what });
}

function deleted(messageId: string) {
  return {
    body: { case: 'messageDeleted' as const, value: { messageId, position: 1 } } as Event['body'],
  };
}

function partsNow(messageId: string, contentIds: string[], seq: number) {
  return {
    seq,
    body: {
      case: 'messagePartsChanged' as const,
      value: {
        messageId,
        message: { id: messageId, parts: contentIds.map((id) => ({ id: newId(), content: { id } })) },
      },
    } as unknown as Event['body'],
  };
}

test('an upload expires after seven days: its address answers 410, and its parts are removed from the store', async () => {
  const data = randomData(2 * PIECE);
  const upload = await createUpload(platform, { size: data.length });
  await sendPiece(upload, data, [0, PIECE]);
  await pass(7 * DAY_MS - 1);
  expect((await askStatus(upload)).status).toBe(308);
  expect(existsSync(pathOf(upload))).toBe(true);
  platform.clock.advance(1);
  expect((await askStatus(upload)).status).toBe(410);
  await pass(1);
  expect(existsSync(pathOf(upload))).toBe(false);
  expect((await sendPiece(upload, data, [PIECE, 2 * PIECE])).status).toBe(410);
});

test('a cancelled upload is removed from the store', async () => {
  const upload = await createUpload(platform, { size: 2 * PIECE });
  await sendPiece(upload, randomData(2 * PIECE), [0, PIECE]);
  expect(existsSync(pathOf(upload))).toBe(true);
  await send(upload.url, { method: 'DELETE' });
  await pass(1);
  expect(existsSync(pathOf(upload))).toBe(false);
});

test('content without a message is removed after 24 hours', async () => {
  const upload = await uploaded();
  await pass(DAY_MS - 1);
  expect(await isThere(upload)).toBe(true);
  await pass(2);
  expect(await isThere(upload)).toBe(false);
  expect(existsSync(pathOf(upload))).toBe(false);
  await expectProblem(claim(upload, newId()), 'invalid_property', { property: 'parts.0.content.id' });
});

test('content stays until the last message that refers to it is deleted for all', async () => {
  const upload = await uploaded();
  const [one, two] = [newId(), newId()];
  for (const id of [one, two]) {
    platform.messages.set(id, messageWith(id, [upload.id]));
    await claim(upload, id);
  }
  await pass(30 * DAY_MS);
  expect(await isThere(upload)).toBe(true);
  await publish(upload.appId, deleted(one));
  await publish(upload.appId, deleted(one));
  await publish(upload.appId, deleted(two));
  await eventually('the content is gone', async () => !(await isThere(upload)));
  await pass(1);
  expect(existsSync(pathOf(upload))).toBe(false);
});

test('deleting one of two messages removes nothing', async () => {
  const kept = await uploaded();
  const appId = kept.appId;
  const witness = await uploaded(10, appId);
  const [one, two] = [newId(), newId()];
  await claim(kept, one);
  await claim(kept, two);
  await claim(witness, one);
  await publish(appId, deleted(one));
  await eventually('the deletion is heard', async () => !(await isThere(witness)));
  expect(await isThere(kept)).toBe(true);
});

test('the content of all messages of a deleted conversation is removed', async () => {
  const upload = await uploaded();
  await claim(upload, newId());
  await publish(upload.appId, {
    conversationId: conversationOf(upload),
    body: { case: 'conversationDeleted', value: {} } as Event['body'],
  });
  await eventually('the content is gone', async () => !(await isThere(upload)));
});

test('the content of an erased user’s messages is removed, and uploads without a message', async () => {
  const appId = newId();
  const [sent, idle, forwarded] = [
    await uploaded(1, appId),
    await uploaded(2, appId),
    await uploaded(3, appId),
  ];
  await claim(sent, newId());
  await claim(forwarded, newId(), { senderId: 'bob' });
  const half = await createUpload(platform, { size: 10, appId });
  await publish(appId, { body: { case: 'userErased', value: { userId: 'alice' } } as Event['body'] });
  await eventually('the content is gone', async () => {
    await platform.jobs.erase();
    return !(await isThere(sent)) && !(await isThere(idle));
  });
  expect((await askStatus(half)).status).toBe(410);
  expect(await isThere(forwarded)).toBe(true);
});

test('content of a user who came back survives the erasure, also when its event comes late and twice', async () => {
  const appId = newId();
  const [old, sent] = [await uploaded(1, appId), await uploaded(2, appId)];
  await claim(old, newId());
  await claim(sent, newId(), { senderIncarnation: 6 });
  const half = await createUpload(platform, { size: 10, appId, userIncarnation: 6 });
  for (const version of [6, 6, 3]) {
    await publish(appId, {
      body: { case: 'userErased', value: { userId: 'alice', version } } as Event['body'],
    });
    await eventually('the content is gone', async () => {
      await platform.jobs.erase();
      return !(await isThere(old));
    });
    await eventually('the erasure is over', async () => {
      await platform.jobs.erase();
      return (await platform.db.execute({ text: 'select from erasure' })) === 0;
    });
  }
  expect(await isThere(sent)).toBe(true);
  expect((await askStatus(half)).status).toBe(308);
});

test('a user who came back may claim a message id from before the erasure again', async () => {
  const appId = newId();
  const [old, late] = [await uploaded(1, appId), await uploaded(2, appId)];
  const [fresh, again] = [
    await uploaded(3, appId, { userIncarnation: 6 }),
    await uploaded(4, appId, { userIncarnation: 6 }),
  ];
  const [first, second] = [newId(), newId()];
  await claim(old, first);
  await claim(old, second);
  await claim(fresh, first, { senderIncarnation: 6 });
  // A session from before the erasure, and another user: they change nothing of the message.
  await claim(late, first);
  await claim(late, first, { senderId: 'bob', senderIncarnation: 9, conversationId: newId() });
  await publish(appId, {
    body: { case: 'userErased', value: { userId: 'alice', version: 6 } } as Event['body'],
  });
  await eventually('the content is gone', async () => {
    await platform.jobs.erase();
    return !(await isThere(old));
  });
  await claim(again, second, { senderIncarnation: 6 });
  await eventually('the erasure is over', async () => {
    await platform.jobs.erase();
    return (await platform.db.execute({ text: 'select from erasure' })) === 0;
  });
  expect(await Promise.all([fresh, again].map(references))).toEqual([1, 1]);
  platform.messages.set(first, messageWith(first, [fresh.id]));
  platform.messages.set(second, messageWith(second, [again.id]));
  await pass(DAY_MS + 1);
  expect(await Promise.all([fresh, again].map(isThere))).toEqual([true, true]);
});

test('content that changed parts no longer refer to is removed a day later, and late events have no effect', async () => {
  const appId = newId();
  const [first, second] = [await uploaded(1, appId), await uploaded(2, appId)];
  const message = newId();
  await claim(first, message);
  await claim(second, message);
  await publish(appId, partsNow(message, [second.id], 7));
  await eventually('the first is let go of', async () => (await references(first)) === 0);
  await publish(appId, partsNow(message, [first.id], 6));
  await publish(appId, partsNow(message, [first.id, second.id], 8));
  await eventually('the first is back', async () => (await references(first)) === 1);
  await publish(appId, partsNow(message, [second.id], 9));
  await eventually('the first is let go of', async () => (await references(first)) === 0);
  expect(await references(second)).toBe(1);
  platform.messages.set(message, messageWith(message, [second.id]));
  await pass(DAY_MS + 1);
  expect([await isThere(first), await isThere(second)]).toEqual([false, true]);
});

test('all content of a deleted application is removed, with unfinished uploads, and nothing of another one', async () => {
  const appId = newId();
  const [used, unused, other] = [await uploaded(10, appId), await uploaded(10, appId), await uploaded(10)];
  await claim(used, newId());
  const underWay = await createUpload(platform, { size: 2 * PIECE, appId });
  await sendPiece(underWay, randomData(2 * PIECE), [0, PIECE]);
  // More than one batch, and of no store.
  await platform.db.execute({
    text: `
      insert into content (app_id, id, by_server, size, content_type, token_hash, created_at, active_at)
      select $1, gen_random_uuid(), true, 1, 'a/b', sha256(n::text::bytea), now(), now() from generate_series(1, 2500) n`,
    values: [appId],
  });
  const rows = (table: string) =>
    platform.db.execute({ text: `select from ${table} where app_id = $1`, values: [appId] });
  await publish(appId, { body: { case: 'appDeleted', value: {} } as Event['body'] });
  await eventually('its deletion is known', async () => (await rows('deleted_app')) === 1);
  await platform.jobs.removeApps();
  expect(await isThere(used)).toBe(true);

  platform.clock.advance(60_000);
  await eventually('all of its content has ended', async () => {
    // The service's own timer may be at it too.
    await platform.jobs.removeApps();
    return (await rows('deleted_app')) === 0;
  });
  expect([await isThere(used), await isThere(unused), await isThere(other)]).toEqual([false, false, true]);
  // Not found once the service's own timers have removed the row as well.
  expect([410, 404]).toContain((await askStatus(underWay)).status);
  await eventually('its references are gone', async () => {
    return (await rows('content_reference')) === 0 && (await rows('content_message')) === 0;
  });
  await eventually('its bytes are gone', async () => {
    await platform.jobs.purge();
    return ![used, unused, underWay].some((upload) => existsSync(pathOf(upload)));
  });
  expect(existsSync(pathOf(other))).toBe(true);
});
