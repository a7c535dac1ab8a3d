import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { newId } from '@parley/domain/ids';
import { createDatabase } from '@parley/kit/postgres';
import { recordLeases } from '@parley/kit/testing/leases';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { startReceiver } from '@parley/testing/doubles/receiver';
import { until } from '@parley/testing';
import { recordEvents } from '../src/consume/record-events.ts';
import { insertErasures } from '../src/sql/erasure.ts';
import { insertExpansion } from '../src/sql/expansion.ts';
import { recordNotices } from '../src/notices/record-notices.ts';
import { eraseUsers } from '../src/timers/erase-users.ts';
import { createExpansions } from '../src/timers/expand-events.ts';
import { messageCreated } from './support/events.ts';
import { startWebhooks, type Platform } from './support/platform.ts';
import { copyWebhook, register, registerActive } from './support/webhooks.ts';

let platform: Platform;
let busy: string;
let quiet: string;

beforeEach(async () => {
  platform = await startWebhooks();
  [busy, quiet] = [randomUUID(), randomUUID()];
});
afterEach(() => platform.stop());

function db() {
  return platform.ctx.db;
}
function erase() {
  return eraseUsers(platform.ctx).run();
}

test('an application with hundreds of dead webhooks leaves capacity for another application', async () => {
  const [dead, alive] = [await startReceiver(), await startReceiver()];
  dead.respond = () => undefined;
  const first = await registerActive(platform, busy, { target_url: dead.url });
  await registerActive(platform, quiet, { target_url: alive.url });
  await copyWebhook(platform, busy, first.id, 299);
  await platform.publish(...Array.from({ length: 8 }, (_, index) => messageCreated(busy, index)));
  const countClaimed = (appId: string) =>
    db().execute({
      text: 'select from delivery where app_id = $1 and claimed_by is not null',
      values: [appId],
    });
  const half = 512;
  await until(async () => (await countClaimed(busy)) >= half || undefined, {
    withinMs: 20_000,
    what: 'the busy application has its share under way',
  });
  await platform.publish(messageCreated(quiet));
  await alive.wait(1);
  expect(await countClaimed(busy)).toBeLessThanOrEqual(half);
  await Promise.all([dead.stop(), alive.stop()]);
}, 60_000);

test('each of many webhooks of an application is served, although its share is always taken', async () => {
  const receiver = await startReceiver();
  const first = await registerActive(platform, busy, { target_url: receiver.url });
  await copyWebhook(platform, busy, first.id, 199);
  await platform.publish(...Array.from({ length: 10 }, (_, index) => messageCreated(busy, index)));
  // On a busy machine some may have to be tried again, which is after 10 s and then after 30 s.
  await until(() => receiver.received.length >= 2000 || undefined, {
    withinMs: 150_000,
    what: 'all are delivered',
  });
  await receiver.stop();
}, 180_000);

test('“mark all read” of a quiet application waits for one page of a busy one', async () => {
  const leases = await recordLeases(db(), 'expansion');
  const eventOf = (appId: string) => {
    const newlyRead = [{ first: 1, last: 3 }];
    const body = { case: 'allRead' as const, value: { userId: 'bob', newlyRead } };
    return toBinary(
      EventSchema,
      create(EventSchema, { id: randomUUID(), appId, conversationId: appId, body }),
    );
  };
  await db().execute({
    text: `
      insert into expansion (app_id, event_id, event, webhook_ids)
      select $1::uuid, gen_random_uuid(), $2::bytea, array[gen_random_uuid()] from generate_series(1, 50)
      union all select $3::uuid, gen_random_uuid(), $4::bytea, array[gen_random_uuid()]`,
    values: [busy, eventOf(busy), quiet, eventOf(quiet)],
  });
  await createExpansions(platform.ctx, { wake: () => undefined }).run();
  await leases.expectTurn(quiet, busy);
  const made = await db().execute({ text: 'select from delivery where app_id = $1', values: [quiet] });
  expect(made).toBe(3);
}, 60_000);

test('verifications of one application leave capacity for those of another', async () => {
  const [silent, alive] = [await startReceiver(), await startReceiver()];
  silent.verify = () => undefined;
  const { id } = await register(platform, busy, { target_url: silent.url });
  await copyWebhook(platform, busy, id, 299);
  // This call wakes the verifier.
  await platform.webhooks.activateWebhook({ appId: busy, id });
  await until(() => silent.verifications.length >= 128 || undefined, {
    withinMs: 20_000,
    what: 'the share of the busy application is under way',
  });
  await registerActive(platform, quiet, { target_url: alive.url });
  expect(silent.verifications).toHaveLength(128);
  expect(
    await db().execute({ text: 'select from webhook where app_id = $1 and status = 3', values: [busy] }),
  ).toBe(0);
  await Promise.all([silent.stop(), alive.stop()]);
}, 60_000);

test('the deliveries of a batch of events to many webhooks are made in bounded transactions, in turn', async () => {
  const receiver = await startReceiver();
  const { id } = await registerActive(platform, busy, {
    target_url: receiver.url,
    events: ['Message.created', 'MessagePart.created'],
  });
  await copyWebhook(platform, busy, id, 99);
  await registerActive(platform, quiet, { target_url: receiver.url });
  const added = Array.from({ length: 30 }, () => ({ id: randomUUID(), mimeType: 'text/plain', body: 'new' }));
  const changed = {
    messageId: randomUUID(),
    position: 1,
    message: { id: randomUUID(), parts: added },
    added,
  };
  const drafts = [
    ...Array.from({ length: 15 }, (_, index) => messageCreated(busy, index)),
    { appId: busy, body: { case: 'messagePartsChanged' as const, value: changed } },
    messageCreated(quiet),
  ];
  const createdAt = platform.clock.now();
  const events = drafts.map((draft) => create(EventSchema, { id: newId(), createdAt, ...draft }));
  const made = await db().tx((tx) => recordEvents(platform.ctx, tx, { events, traceOf: () => undefined }));
  expect(made).toEqual({ deliveries: 1001, expansions: 6, erasures: 0 });
  await createExpansions(platform.ctx, { wake: () => undefined }).run();
  const kinds = await db().query({
    text: `
      select n.type, count(*)::int as deliveries, count(distinct d.webhook_id)::int as webhooks
      from notice n join delivery d on d.app_id = n.app_id and d.notice_id = n.id
      where n.app_id = $1 group by n.type order by n.type`,
    values: [busy],
  });
  expect(kinds).toEqual([
    { type: 'Message.created', deliveries: 1500, webhooks: 100 },
    { type: 'MessagePart.created', deliveries: 3000, webhooks: 100 },
  ]);
  await receiver.stop();
}, 60_000);

test('an erasure also deletes queued events', async () => {
  const [own, other] = [messageCreated(quiet, 1), messageCreated(quiet, 2)];
  other.actor = { userId: 'bob', displayName: 'Bob' };
  other.body.value.message.sender = other.actor;
  for (const draft of [own, other]) {
    // By a clock that is ahead.
    const event = create(EventSchema, { id: newId(), createdAt: Date.UTC(2030, 0, 1), ...draft });
    await db().tx((tx) => insertExpansion(tx, { event, webhookIds: [] }));
  }
  await db().execute({ text: `update expansion set due_at = 'infinity'` });
  await insertErasures(db(), [{ appId: quiet, userId: 'ada', version: 1 }]);
  await until(
    async () => {
      await erase();
      return (await db().execute({ text: 'select from erasure' })) === 0 || undefined;
    },
    { withinMs: 10_000, what: 'the erasure is done' },
  );
  const left = await db().query({ text: 'select subject_user_id from expansion' });
  expect(left).toEqual([{ subject_user_id: 'bob' }]);
});

test('erasures proceed in bounded steps, in turn by application', async () => {
  const leases = await recordLeases(db(), 'erasure');
  const notices = (appId: string, userId: string, count: number) =>
    db().execute({
      text: `insert into notice (app_id, id, type, event_at, subject_user_id, event)
        select $1, gen_random_uuid(), 'Message.created', now() - interval '1 minute', $2, ''
        from generate_series(1, $3::int)`,
      values: [appId, userId, count],
    });
  await notices(busy, 'ada', 1050);
  await notices(busy, 'bob', 3);
  await notices(quiet, 'ada', 1);
  await db().execute({
    text: `insert into erasure (app_id, user_id, version) values ($1, 'ada', 1), ($2, 'ada', 1)`,
    values: [busy, quiet],
  });
  await erase();
  expect(await leases.of(busy)).toHaveLength(11);
  await leases.expectTurn(quiet, busy);
  const left = await db().query({ text: 'select distinct app_id, subject_user_id from notice' });
  expect(left).toEqual([{ app_id: busy, subject_user_id: 'bob' }]);
}, 60_000);

function notices(appId: string) {
  return db().query<{ id: string; subject_user_id: string }>({
    text: 'select id, subject_user_id from notice where app_id = $1 order by id',
    values: [appId],
  });
}

test('no notice about an erased user is stored or sent from then on, even before the deletion', async () => {
  const receiver = await startReceiver();
  await registerActive(platform, quiet, { target_url: receiver.url });
  // A delivery that is tried again, and an erasure that no timer works on.
  receiver.respond = (_, response) => response.writeHead(500).end();
  await platform.publish(messageCreated(quiet, 1));
  await receiver.wait(1);
  await insertErasures(db(), [{ appId: quiet, userId: 'ada', version: 1 }]);
  await db().execute({ text: `update erasure set due_at = 'infinity'` });
  receiver.respond = (_, response) => response.writeHead(200).end();
  await until(
    () =>
      db().execute({
        text: `update delivery set due_at = '-infinity' where attempt_count = 1 and claimed_by is null`,
      }),
    { withinMs: 10_000, what: 'the delivery is due again' },
  );
  const other = messageCreated(quiet, 2);
  other.actor = { userId: 'bob', displayName: 'Bob' };
  other.body.value.message.sender = other.actor;
  await platform.publish(messageCreated(quiet, 3), other);
  const [, second] = await receiver.wait(2);
  expect(second!.text).toContain('message 2');
  await db().execute({ text: `update erasure set due_at = '-infinity'` });
  await erase();
  const left = await notices(quiet);
  expect(left.map(({ subject_user_id }) => subject_user_id)).toEqual(['bob']);
  expect(receiver.received).toHaveLength(2);
  await receiver.stop();
}, 60_000);

test('an erasure deletes notices about earlier incarnations, even if clocks differ, and none of a later login', async () => {
  const store = (id: string, incarnation: number | null, at: number) =>
    db().execute({
      text: `insert into notice (app_id, id, type, event_at, subject_user_id, event, subject_incarnation)
        values ($1, $2, 'Message.created', to_timestamp($4::float8 / 1000), 'ada', '', $3)`,
      values: [quiet, id, incarnation, at],
    });
  const now = platform.clock.now();
  const later = randomUUID();
  await store(randomUUID(), null, now + 60_000);
  await store(randomUUID(), 3, now + 60_000);
  await store(later, 5, now - 60_000);
  for (const version of [5, 5, 2]) {
    await insertErasures(db(), [{ appId: quiet, userId: 'ada', version }]);
    await erase();
    expect((await notices(quiet)).map(({ id }) => id)).toEqual([later]);
  }
}, 60_000);

test('an erasure waits for notices that are being recorded, and deletes them', async () => {
  const { log, config } = platform.ctx;
  const own = createDatabase({ url: config.databaseUrl, applicationName: 'recorder', poolSize: 1, log });
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const { promise: isRecorded, resolve: tell } = Promise.withResolvers<void>();
  const event = create(EventSchema, { id: newId(), createdAt: Date.now(), ...messageCreated(quiet, 1) });
  const recording = own.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await recordNotices(platform.ctx, tx, [{ notice: { type: 'Message.created', event }, webhookIds: [] }]);
    tell();
    await isOver;
  }, HELD);
  await isRecorded;
  await insertErasures(db(), [{ appId: quiet, userId: 'ada', version: 1 }]);
  const erasing = erase();
  const count = (text: string) => db().execute({ text });
  await until(
    async () =>
      (await count(`select from pg_locks where locktype = 'advisory' and not granted`)) > 0 ||
      (await count('select from erasure')) === 0 ||
      undefined,
    { withinMs: 10_000, what: 'the erasure waits' },
  );
  end();
  await Promise.all([recording, erasing]).finally(() => own.close());
  await until(
    async () => {
      await erase();
      return (await count('select from erasure')) === 0 || undefined;
    },
    { withinMs: 10_000, what: 'the erasure is done' },
  );
  expect(await notices(quiet)).toEqual([]);
}, 60_000);
