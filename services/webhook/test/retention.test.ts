import { randomUUID } from 'node:crypto';
import { expectProblem } from '@parley/domain/testing/problems';
import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { startReceiver, type Receiver } from '@parley/testing/doubles/receiver';
import { until } from '@parley/testing';
import { sweepDeliveries } from '../src/timers/sweep-deliveries.ts';
import { messageCreated } from './support/events.ts';
import { startWebhooks, type Platform } from './support/platform.ts';
import { registerActive, untilDelivery } from './support/webhooks.ts';

const DAY_MS = 86_400_000;

let platform: Platform;
let receiver: Receiver;
let appId: string;

beforeAll(async () => {
  platform = await startWebhooks();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  appId = randomUUID();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

async function sweepAfter(days: number): Promise<{ deliveries: number; notices: number }> {
  platform.clock.advance(days * DAY_MS);
  await sweepDeliveries(platform.ctx);
  const [counts] = await platform.ctx.db.query<{ deliveries: number; notices: number }>({
    text: `
      select (select count(*) from delivery where app_id = $1) as deliveries,
        (select count(*) from notice where app_id = $1) as notices`,
    values: [appId],
  });
  return counts!;
}

test('deliveries that succeeded are kept for three days', async () => {
  const webhook = await registerActive(platform, appId, { target_url: receiver.url });
  await platform.publish(messageCreated(appId));
  await untilDelivery(platform, webhook, { status: DeliveryStatus.DELIVERED });
  expect(await sweepAfter(2.9)).toEqual({ deliveries: 1, notices: 1 });
  expect(await sweepAfter(0.2)).toEqual({ deliveries: 0, notices: 0 });
});

test('dead letters are kept for 30 days', async () => {
  receiver.respond = (_, response) => response.writeHead(410).end();
  const webhook = await registerActive(platform, appId, { target_url: receiver.url });
  await platform.publish(messageCreated(appId));
  await untilDelivery(platform, webhook, { status: DeliveryStatus.DEAD });
  expect(await sweepAfter(29.9)).toEqual({ deliveries: 1, notices: 1 });
  expect(await sweepAfter(0.2)).toEqual({ deliveries: 0, notices: 0 });
});

test('a page of deliveries begins behind one that was deleted, for a day', async () => {
  const webhook = await registerActive(platform, appId, { target_url: receiver.url });
  const other = await registerActive(platform, appId, { target_url: receiver.url });
  await platform.publish(messageCreated(appId));
  const first = await untilDelivery(platform, webhook, { status: DeliveryStatus.DELIVERED });
  await untilDelivery(platform, other, { status: DeliveryStatus.DELIVERED });
  const page = (webhookId: string) =>
    platform.webhooks.listDeliveries({ appId, webhookId, fromId: first.id });
  await sweepAfter(4);
  expect(await page(webhook.id)).toMatchObject({ deliveries: [], total: 0 });
  await expectProblem(page(other.id), 'invalid_property');
  await platform.ctx.db.execute({ text: `update gone_item set gone_at = gone_at - interval '2 days'` });
  await sweepAfter(0);
  await expectProblem(page(webhook.id), 'invalid_property');
});

test('a notice is kept as long as it has a delivery', async () => {
  const [well, failing] = [await startReceiver(), receiver];
  failing.respond = (_, response) => response.writeHead(410).end();
  const webhook = await registerActive(platform, appId, { target_url: well.url });
  const other = await registerActive(platform, appId, { target_url: failing.url });
  await platform.publish(messageCreated(appId));
  await untilDelivery(platform, webhook, { status: DeliveryStatus.DELIVERED });
  await untilDelivery(platform, other, { status: DeliveryStatus.DEAD });
  expect(await sweepAfter(4)).toEqual({ deliveries: 1, notices: 1 });
  await well.stop();
});

test('the deliveries of a deleted webhook are deleted at once', async () => {
  receiver.respond = (_, response) => response.writeHead(500).end();
  const webhook = await registerActive(platform, appId, { target_url: receiver.url });
  await platform.publish(messageCreated(appId));
  await untilDelivery(platform, webhook, { status: DeliveryStatus.PENDING });
  await platform.webhooks.deleteWebhook({ appId, id: webhook.id });
  expect(await sweepAfter(0)).toEqual({ deliveries: 0, notices: 0 });
});

test('the deliveries of a deleted application’s webhooks are deleted', async () => {
  receiver.respond = (_, response) => response.writeHead(500).end();
  const webhook = await registerActive(platform, appId, { target_url: receiver.url });
  await platform.publish(messageCreated(appId));
  await untilDelivery(platform, webhook, { status: DeliveryStatus.PENDING });
  await platform.webhooks.deactivateWebhook({ appId, id: webhook.id });
  await platform.publish({ appId, body: { case: 'appDeleted', value: {} } });
  const areGone = async () =>
    (await platform.webhooks.listWebhooks({ appId })).webhooks.length === 0 || undefined;
  await until(areGone, { withinMs: 10_000, what: 'the webhooks are gone' });
  expect(await sweepAfter(0)).toEqual({ deliveries: 0, notices: 0 });
});
