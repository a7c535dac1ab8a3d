import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { newId } from '@parley/domain/ids';
import { connectBus, type Bus } from '@parley/kit/bus';
import { createDatabase } from '@parley/kit/postgres';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { startReceiver, type Receiver } from '@parley/testing/doubles/receiver';
import { startPostgres, until, type TestProcess, type TestServer } from '@parley/testing';
import { startWebhooks, type Platform } from './support/platform.ts';
import { startProcess } from './support/process.ts';
import { registerActive } from './support/webhooks.ts';

let platform: Platform;
let postgres: TestServer;
let receiver: Receiver;
let bus: Bus;
let appId: string;
const processes: TestProcess[] = [];
const log = createLogger({ service: 'test', level: 'silent' });

// A webhook is registered by the service in this process; what is tested are processes of its own on the same database.
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  const database = new URL(postgres.url);
  database.pathname = `/webhooks_${randomUUID().slice(0, 8)}`;
  platform = await startWebhooks({ env: { PARLEY_DATABASE_URL: database.href } });
  receiver = await startReceiver();
  appId = randomUUID();
  await registerActive(platform, appId, { target_url: receiver.url, events: ['Receipt.created'] });
  await platform.service.stop();
  bus = await connectBus({ url: platform.nats.url, name: 'test', log });
});
afterEach(async () => {
  for (const process of processes.splice(0)) await process.kill();
  await bus.close();
  await platform.stop();
  await receiver.stop();
});

async function start(): Promise<TestProcess> {
  const process = await startProcess(platform.ctx.config);
  processes.push(process);
  return process;
}

/** Receipts, since their bodies need no other service. */
async function publish(count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    ...{ id: newId(), appId, conversationId: randomUUID(), createdAt: Date.now(), actor: { userId: 'bob' } },
    body: {
      case: 'receiptRecorded' as const,
      value: { type: ReceiptType.READ, userId: 'bob', messageId: randomUUID(), position: index + 1 },
    },
  }));
  const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events }));
  const publishing = () => bus.publish(`event.${appId}.receipt.created`, payload, { msgId: randomUUID() });
  await until(async () => (await publishing(), true), { withinMs: 10_000, what: 'the events are stored' });
}

function distinct(): number {
  return new Set(receiver.received.map(({ text }) => JSON.parse(text).event.id as string)).size;
}
function untilDistinct(count: number): Promise<true> {
  return until(() => (distinct() >= count ? true : undefined), {
    withinMs: 30_000,
    what: `${count} events come`,
  });
}

test('deliveries claimed by a killed process are sent by the next one', async () => {
  const process = await start();
  receiver.respond = () => undefined;
  await publish(20);
  await receiver.wait(1);
  await process.kill();
  receiver.respond = (_, response) => response.end();
  receiver.received.length = 0;
  await start();
  await untilDistinct(20);
}, 60_000);

test('a delivery whose claim was committed, but not answered, is sent all the same', async () => {
  await start();
  // The first attempt fails, so that the delivery waits unclaimed for the second.
  receiver.respond = (_, response) => response.writeHead(500).end();
  await publish(1);
  await receiver.wait(1);
  const { databaseUrl: url } = platform.ctx.config;
  const db = createDatabase({ url, poolSize: 1, log, applicationName: 'test' });
  const text = `
    update delivery set claimed_by = (select id from worker order by seen_at desc limit 1)
    where status = ${DeliveryStatus.PENDING} and attempt_count > 0 and claimed_by is null`;
  const claim = async () => (await db.execute({ text })) === 1 || undefined;
  await until(claim, { withinMs: 20_000, everyMs: 5, what: 'the delivery is claimed' });
  await db.close();
  receiver.respond = (_, response) => response.end();
  await until(() => receiver.received.length > 1 || undefined, {
    withinMs: 30_000,
    what: 'the event comes again',
  });
}, 60_000);

test('events published while the service was down are delivered', async () => {
  await publish(10);
  await start();
  await untilDistinct(10);
}, 60_000);

test('several processes share the work, and none repeats another’s', async () => {
  await Promise.all([start(), start()]);
  for (let batch = 0; batch < 10; batch += 1) await publish(20);
  await untilDistinct(200);
  expect(receiver.received).toHaveLength(200);
}, 60_000);

test('the event stream may be killed at any time', async () => {
  await start();
  await publish(10);
  await platform.nats.kill();
  await platform.nats.restart();
  await publish(10);
  await untilDistinct(20);
}, 60_000);

test('the database may be killed at any time', async () => {
  await start();
  receiver.respond = (_, response) => {
    if (receiver.received.length === 3) void postgres.kill();
    response.end();
  };
  await publish(10);
  await receiver.wait(3);
  await postgres.kill();
  await publish(10);
  await postgres.restart();
  await untilDistinct(20);
}, 60_000);
