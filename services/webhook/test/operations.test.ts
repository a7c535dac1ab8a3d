import { randomUUID } from 'node:crypto';
import { DeliveryStatus, WebhookStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { startReceiver, type Receiver } from '@parley/testing/doubles/receiver';
import { sweepOperations } from '../src/timers/sweep-operations.ts';
import { messageCreated } from './support/events.ts';
import { startWebhooks, type Platform } from './support/platform.ts';
import { registerActive, SECRET, untilDelivery, untilStatus } from './support/webhooks.ts';

const { DELIVERED } = DeliveryStatus;

let platform: Platform;
let receiver: Receiver;
let appId: string;

beforeAll(async () => {
  platform = await startWebhooks();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await platform.stop();
});
beforeEach(() => {
  appId = randomUUID();
});

/** Calls of one operation: what a gateway sends again after a crash. */
function operation() {
  return { headers: { 'x-operation-id': randomUUID() } };
}
function properties() {
  return { version: '3.0', target_url: receiver.url, events: ['Message.created'], secret: SECRET } as never;
}

/** A webhook with one delivered delivery. */
async function delivered() {
  const webhook = await registerActive(platform, appId, { target_url: receiver.url });
  await platform.publish(messageCreated(appId));
  const { id } = await untilDelivery(platform, webhook, { status: DELIVERED });
  return { webhook, key: { appId, webhookId: webhook.id, id } };
}

test('a repeated registration returns the same webhook, and there is only one', async () => {
  const { webhooks } = platform;
  const call = operation();
  const attempts = [1, 2, 3].map(() => webhooks.createWebhook({ appId, properties: properties() }, call));
  const made = await Promise.all(attempts);
  expect(new Set(made.map(({ webhook }) => webhook?.id)).size).toBe(1);
  expect((await webhooks.listWebhooks({ appId })).webhooks).toHaveLength(1);
  const other = await webhooks.createWebhook({ appId, properties: properties() }, operation());
  expect(other.webhook?.id).not.toBe(made[0]?.webhook?.id);
});

test('a repeated rotation returns the same secret, also after another rotation', async () => {
  const { webhooks } = platform;
  const { id } = await registerActive(platform, appId, { target_url: receiver.url });
  const call = operation();
  const first = await webhooks.rotateSecret({ appId, id }, call);
  const second = await webhooks.rotateSecret({ appId, id }, operation());
  const repeated = await webhooks.rotateSecret({ appId, id }, call);
  expect(second.secret).not.toBe(first.secret);
  expect(repeated).toEqual(first);
  const rows = await platform.ctx.db.query<{ result: Buffer }>({
    text: `select result from performed_operation where id = $1`,
    values: [call.headers['x-operation-id']],
  });
  expect(rows.map(({ result }) => result.includes(first.secret))).toEqual([false]);
});

test('a repeated activation does not verify again', async () => {
  const { webhooks } = platform;
  const webhook = await registerActive(platform, appId, { target_url: receiver.url });
  const call = operation();
  await webhooks.activateWebhook({ appId, id: webhook.id }, call);
  await untilStatus(platform, webhook, WebhookStatus.ACTIVE);
  const repeated = await webhooks.activateWebhook({ appId, id: webhook.id }, call);
  expect(repeated.webhook?.status).toBe(WebhookStatus.UNVERIFIED);
  expect((await webhooks.getWebhook({ appId, id: webhook.id })).webhook?.status).toBe(WebhookStatus.ACTIVE);
});

test('a repeated deactivation does not deactivate a webhook that was activated in between', async () => {
  const { webhooks } = platform;
  const webhook = await registerActive(platform, appId, { target_url: receiver.url });
  const call = operation();
  await webhooks.deactivateWebhook({ appId, id: webhook.id }, call);
  await webhooks.activateWebhook({ appId, id: webhook.id });
  await untilStatus(platform, webhook, WebhookStatus.ACTIVE);
  const repeated = await webhooks.deactivateWebhook({ appId, id: webhook.id }, call);
  expect(repeated.webhook?.status).toBe(WebhookStatus.INACTIVE);
  expect((await webhooks.getWebhook({ appId, id: webhook.id })).webhook?.status).toBe(WebhookStatus.ACTIVE);
});

test('a repeated replay of a delivery sends nothing more', async () => {
  const { webhook, key } = await delivered();
  const call = operation();
  await platform.webhooks.replayDelivery(key, call);
  await untilDelivery(platform, webhook, { status: DELIVERED, attempts: 2 });
  await platform.webhooks.replayDelivery(key, call);
  const { delivery } = await platform.webhooks.getDelivery(key);
  expect(delivery).toMatchObject({ status: DELIVERED, attemptCount: 2 });
});

test('a repeated replay of a time returns the same count, and sends nothing more', async () => {
  const { webhook, key } = await delivered();
  const now = platform.clock.now();
  const range = { appId, webhookId: webhook.id, from: now - 1000, until: now + 1000, status: DELIVERED };
  const call = operation();
  expect((await platform.webhooks.replayDeliveries(range, call)).count).toBe(1);
  await untilDelivery(platform, webhook, { status: DELIVERED, attempts: 2 });
  expect((await platform.webhooks.replayDeliveries(range, call)).count).toBe(1);
  const { delivery } = await platform.webhooks.getDelivery(key);
  expect(delivery).toMatchObject({ status: DELIVERED, attemptCount: 2 });
});

test('the results of operations are deleted when their keys are', async () => {
  const { id } = await registerActive(platform, appId, { target_url: receiver.url });
  const call = operation();
  await platform.webhooks.rotateSecret({ appId, id }, call);
  const known = () =>
    platform.ctx.db.query({
      text: `select 1 from performed_operation where id = $1`,
      values: [call.headers['x-operation-id']],
    });
  await sweepOperations(platform.ctx);
  expect(await known()).toHaveLength(1);
  platform.clock.advance(26 * 3600_000);
  await sweepOperations(platform.ctx);
  expect(await known()).toHaveLength(0);
});
