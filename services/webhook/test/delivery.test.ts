import { createHmac, randomUUID } from 'node:crypto';
import { NOTICES } from '@parley/contract/records/webhook-event';
import { mismatches } from '@parley/contract/testing/mismatches';
import { NOTICE_HEADERS } from '@parley/contract/webhook-events/headers';
import { DeliveryStatus, WebhookStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { until } from '@parley/testing';
import { messageCreated } from './support/events.ts';
import { startWebhooks, type Platform } from './support/platform.ts';
import { startReceiver, type Receiver } from '@parley/testing/doubles/receiver';
import {
  register,
  registerActive,
  SECRET,
  untilAttempts,
  untilDelivery,
  untilStatus,
} from './support/webhooks.ts';

const { PENDING, DELIVERED, DEAD } = DeliveryStatus;
const SECOND_MS = 1000;
const DAY_MS = 86_400 * SECOND_MS;

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

describe('a delivery', () => {
  test('carries the event to every webhook that subscribes to it', async () => {
    const config = { team: 'a' };
    const webhook = await registerActive(platform, appId, { target_url: receiver.url, config });
    await registerActive(platform, appId, { target_url: receiver.url, events: ['Receipt.created'] });
    const [event] = await platform.publish(messageCreated(appId));
    const [{ headers, text, method }] = (await receiver.wait(1)) as [Receiver['received'][number]];
    const delivery = await untilDelivery(platform, webhook, { status: DELIVERED });
    expect(method).toBe('POST');
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.svc.webhooks+json; version=3.0',
      'user-agent': 'svc-webhooks/3.0',
      'svc-webhook-event-type': 'Message.created',
      'svc-webhook-id': `svc:///apps/${appId}/webhooks/${webhook.id}`,
      'svc-webhook-request-id': delivery.id,
      'webhook-id': delivery.id,
    });
    expect(JSON.parse(text)).toMatchObject({
      event: { id: event!.id, type: 'Message.created' },
      actor: { user_id: 'ada' },
      config,
      message: {
        parts: [{ body: 'message 1' }],
        recipient_status: { 'svc:///identities/ada': 'read', 'svc:///identities/bob': 'sent' },
      },
    });
    expect(delivery.attempts).toMatchObject([{ responseStatus: 200, responseBody: 'thanks' }]);
    expect(receiver.received).toHaveLength(1);
    const shown = await platform.webhooks.getDelivery({ appId, webhookId: webhook.id, id: delivery.id });
    expect(shown.body).toBe(text);
  });

  test('has the headers and the body that the API describes', async () => {
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    await platform.webhooks.rotateSecret({ appId, id: webhook.id });
    await platform.publish(messageCreated(appId));
    const [{ headers, text }] = (await receiver.wait(1)) as [Receiver['received'][number]];
    const described = new Map(NOTICE_HEADERS.map(({ name, schema }) => [name.toLowerCase(), schema]));
    expect(Object.keys(headers).filter((name) => /webhook/.test(name) && !described.has(name))).toEqual([]);
    for (const [name, schema] of described)
      expect([name, mismatches(schema, headers[name])]).toEqual([name, []]);
    expect(mismatches(NOTICES['Message.created'], JSON.parse(text))).toEqual([]);
  });

  test('of a test event is signed, attempted and marked like every other, in the body', async () => {
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    const { delivery } = await platform.webhooks.sendTestEvent({ appId, id: webhook.id });
    const [{ text, headers }] = (await receiver.wait(1)) as [Receiver['received'][number]];
    expect(await untilDelivery(platform, webhook, { status: DELIVERED })).toMatchObject({
      id: delivery?.id,
      eventType: 'Message.created',
      attempts: [{ responseStatus: 200 }],
    });
    expect(headers['svc-webhook-signature']).toBe(createHmac('sha1', SECRET).update(text).digest('hex'));
    expect(JSON.parse(text)).toMatchObject({ event: { type: 'Message.created', test: true } });
  });

  test('of a test event may have another type, and waits for the webhook', async () => {
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    const key = { appId, id: webhook.id };
    await platform.webhooks.deactivateWebhook(key);
    await platform.webhooks.sendTestEvent({ ...key, eventType: 'Participation.deleted' });
    await untilDelivery(platform, webhook, { status: PENDING, attempts: 0 });
    await platform.webhooks.activateWebhook(key);
    await untilStatus(platform, webhook, WebhookStatus.ACTIVE);
    platform.clock.advance(SECOND_MS);
    const [{ text }] = (await receiver.wait(1)) as [Receiver['received'][number]];
    expect(JSON.parse(text)).toMatchObject({ event: { type: 'Participation.deleted', test: true } });
    const unknown = platform.webhooks.sendTestEvent({ ...key, eventType: 'Message.sent' });
    await expect(unknown).rejects.toThrow(/event must be/);
  });

  test('is made once, however often the event arrives', async () => {
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    const event = { ...messageCreated(appId), id: randomUUID() };
    await platform.publish(event);
    await platform.publish(event, messageCreated(appId, 2));
    await receiver.wait(2);
    const { deliveries, total } = await platform.webhooks.listDeliveries({ appId, webhookId: webhook.id });
    expect({ length: deliveries.length, total }).toEqual({ length: 2, total: 2 });
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(2);
  });

  test('reuses a connection', async () => {
    await registerActive(platform, appId, { target_url: receiver.url });
    for (let position = 1; position <= 5; position += 1) {
      await platform.publish(messageCreated(appId, position));
      await receiver.wait(position);
    }
    expect(new Set(receiver.received.map(({ port }) => port)).size).toBe(1);
  });

  test('succeeds with any 2xx, regardless of the body', async () => {
    receiver.respond = (_, response) => response.writeHead(299).end(Buffer.alloc(1_000_000, 'x'));
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    await platform.publish(messageCreated(appId));
    const { attempts } = await untilDelivery(platform, webhook, { status: DELIVERED });
    expect(attempts[0]!.responseBody).toHaveLength(1024);
  });

  const failures: [string, Receiver['respond']][] = [
    ['a redirect', (_, response) => response.writeHead(302, { location: receiver.url }).end()],
    ['an error', (_, response) => response.writeHead(500).end()],
    ['a refusal', (_, response) => response.writeHead(404).end('\0\ud83d')],
    ['a broken connection', (_, response) => response.destroy()],
  ];
  test.each(failures)('that meets %s is retried under the same id', async (_name, respond) => {
    receiver.respond = respond;
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    await platform.publish(messageCreated(appId));
    const { nextAttemptAt, attempts } = await untilDelivery(platform, webhook, { status: PENDING });
    expect(attempts).toHaveLength(1);
    const wait = nextAttemptAt! - platform.clock.now();
    expect(wait).toBeGreaterThanOrEqual(10 * SECOND_MS);
    expect(wait).toBeLessThanOrEqual(12 * SECOND_MS);
    receiver.respond = (_received, response) => response.end();
    platform.clock.advance(wait + SECOND_MS);
    await untilDelivery(platform, webhook, { status: DELIVERED, attempts: 2 });
    const [first, second] = receiver.received;
    expect(second!.headers['svc-webhook-request-id']).toBe(first!.headers['svc-webhook-request-id']);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.text).toBe(first!.text);
  });

  test('waits as long as the target asks', async () => {
    receiver.respond = (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    await platform.publish(messageCreated(appId));
    const { nextAttemptAt } = await untilDelivery(platform, webhook, { status: PENDING });
    expect(nextAttemptAt! - platform.clock.now()).toBe(3600 * SECOND_MS);
  });

  test('is a dead letter after eleven attempts, and is replayed', async () => {
    receiver.respond = (_, response) => response.writeHead(500).end();
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    await platform.publish(messageCreated(appId));
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      const { nextAttemptAt } = await untilDelivery(platform, webhook, { status: PENDING, attempts });
      platform.clock.advance(nextAttemptAt! - platform.clock.now() + SECOND_MS);
    }
    const { id, nextAttemptAt } = await untilDelivery(platform, webhook, { status: DEAD, attempts: 11 });
    expect(nextAttemptAt).toBeUndefined();
    receiver.respond = (_, response) => response.end();
    await platform.webhooks.replayDelivery({ appId, webhookId: webhook.id, id });
    await untilDelivery(platform, webhook, { status: DELIVERED, attempts: 12 });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});

describe('a webhook', () => {
  test('is deactivated by 410 at once', async () => {
    receiver.respond = (_, response) => response.writeHead(410).end();
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    await platform.publish(messageCreated(appId));
    const { statusReason } = await untilStatus(platform, webhook, WebhookStatus.INACTIVE);
    expect(statusReason).toBe('deactivated: the target answered 410 Gone');
    await untilDelivery(platform, webhook, { status: DEAD });
  });

  test('is deactivated when all deliveries fail for five days', async () => {
    receiver.respond = (_, response) => response.writeHead(500).end();
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    await platform.publish(messageCreated(appId));
    await untilDelivery(platform, webhook, { status: PENDING });
    platform.clock.advance(5 * DAY_MS - 1);
    await untilDelivery(platform, webhook, { status: PENDING, attempts: 2 });
    await untilStatus(platform, webhook, WebhookStatus.ACTIVE);
    platform.clock.advance(60 * SECOND_MS);
    const { statusReason } = await untilStatus(platform, webhook, WebhookStatus.INACTIVE);
    expect(statusReason).toBe('deactivated: every delivery has failed for five days');
  });

  test('is not deactivated when a delivery succeeds in between', async () => {
    receiver.respond = ({ text }, response) =>
      response.writeHead(text.includes('message 2') ? 200 : 500).end();
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    await platform.publish(messageCreated(appId, 1));
    await untilAttempts(platform, webhook, 1);
    platform.clock.advance(4 * DAY_MS);
    await platform.publish(messageCreated(appId, 2));
    await untilAttempts(platform, webhook, 3);
    platform.clock.advance(3 * DAY_MS);
    await untilAttempts(platform, webhook, 4);
    await untilStatus(platform, webhook, WebhookStatus.ACTIVE);
  });

  test('that is not active gets no events of that time', async () => {
    const witness = await startReceiver();
    await registerActive(platform, appId, { target_url: witness.url });
    receiver.verify = () => undefined;
    const webhook = await register(platform, appId, { target_url: receiver.url });
    await platform.publish(messageCreated(appId, 1));
    await witness.wait(1);
    await witness.stop();
    receiver.verify = (challenge, response) => response.end(challenge);
    const { webhook: again } = await platform.webhooks.activateWebhook({ appId, id: webhook.id });
    platform.clock.advance(2 * SECOND_MS);
    await untilStatus(platform, again!, WebhookStatus.ACTIVE);
    platform.clock.advance(2 * SECOND_MS);
    await platform.publish(messageCreated(appId, 2));
    const [first] = await receiver.wait(1);
    expect(first!.text).toContain('message 2');
  });

  test('that is paused gets its pending deliveries once it is active again', async () => {
    receiver.respond = (_, response) => response.writeHead(500).end();
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    await platform.publish(messageCreated(appId));
    await untilDelivery(platform, webhook, { status: PENDING });
    await platform.webhooks.deactivateWebhook({ appId, id: webhook.id });
    platform.clock.advance(60 * SECOND_MS);
    receiver.respond = (_, response) => response.end();
    await platform.webhooks.activateWebhook({ appId, id: webhook.id });
    await untilStatus(platform, webhook, WebhookStatus.ACTIVE);
    platform.clock.advance(SECOND_MS);
    await untilDelivery(platform, webhook, { status: DELIVERED, attempts: 2 });
  });

  test('that was active until it is verified again misses no event', async () => {
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    let pass = (): unknown => undefined;
    receiver.verify = (challenge, response) => (pass = () => response.end(challenge));
    await platform.webhooks.activateWebhook({ appId, id: webhook.id });
    await until(() => receiver.verifications[1], { withinMs: 10_000, what: 'it is asked again' });
    await platform.publish(messageCreated(appId));
    await untilDelivery(platform, webhook, { status: PENDING, attempts: 0 });
    expect(receiver.received).toHaveLength(0);
    pass();
    await untilStatus(platform, webhook, WebhookStatus.ACTIVE);
    platform.clock.advance(SECOND_MS);
    await receiver.wait(1);
  });

  test('replays the failed deliveries of a time, and no others', async () => {
    receiver.respond = ({ text }, response) =>
      response.writeHead(text.includes('message 4') ? 200 : 410).end();
    const webhook = await registerActive(platform, appId, { target_url: receiver.url });
    const times: number[] = [];
    for (const position of [1, 2, 3, 4]) {
      platform.clock.advance(60 * SECOND_MS);
      times.push(platform.clock.now());
      await platform.publish(messageCreated(appId, position));
      await receiver.wait(position);
      if (position === 4) break;
      await untilStatus(platform, webhook, WebhookStatus.INACTIVE);
      await platform.webhooks.activateWebhook({ appId, id: webhook.id });
      await untilStatus(platform, webhook, WebhookStatus.ACTIVE);
    }
    receiver.respond = (_, response) => response.end();
    const range = { from: times[1]!, until: times[3]! + 1 };
    const { count } = await platform.webhooks.replayDeliveries({ appId, webhookId: webhook.id, ...range });
    expect(count).toBe(2);
    const again = (await receiver.wait(6)).slice(4).map(({ text }) => /message \d/.exec(text)?.[0]);
    expect(again.sort()).toEqual(['message 2', 'message 3']);
  });
});
