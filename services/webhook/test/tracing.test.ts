import { randomUUID } from 'node:crypto';
import { startTracing } from '@parley/kit/runtime/telemetry/tracing';
import { attributesOf, startCollector } from '@parley/kit/testing/collector';
import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { startReceiver } from '@parley/testing/doubles/receiver';
import { messageCreated } from './support/events.ts';
import { startWebhooks } from './support/platform.ts';
import { registerActive, untilDelivery } from './support/webhooks.ts';

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

test('each attempt has a span with a link to the request that led to it; without tracing nothing is kept', async () => {
  const [platform, receiver, collector] = [
    await startWebhooks(),
    await startReceiver(),
    await startCollector(),
  ];
  const appId = randomUUID();
  const target = await registerActive(platform, appId, { target_url: `${receiver.url}?key=of-the-target` });
  const kept = () => platform.ctx.db.query({ text: 'select traceparent from notice order by id' });
  platform.headers['traceparent'] = TRACEPARENT;
  await platform.publish(messageCreated(appId, 1));
  await untilDelivery(platform, target, { status: DeliveryStatus.DELIVERED });
  expect(await kept()).toEqual([{ traceparent: null }]);

  const stop = await startTracing({ service: 'webhook', endpoint: collector.endpoint });
  const other = randomUUID();
  const webhook = await registerActive(platform, other, { target_url: `${receiver.url}?key=of-the-target` });
  await platform.publish(messageCreated(other, 2));
  await untilDelivery(platform, webhook, { status: DeliveryStatus.DELIVERED });
  expect(await kept()).toContainEqual({ traceparent: TRACEPARENT });
  await platform.stop();
  await stop();
  await receiver.stop();
  collector.stop();
  const attempts = collector.spans().filter(({ name }) => name === 'webhook delivery attempt');
  expect(attempts).toMatchObject([
    { kind: 3, links: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }], status: {} },
  ]);
  expect(attributesOf(attempts[0])).toMatchObject({
    ...{ 'http.request.method': 'POST', 'http.response.status_code': 200 },
    ...{
      'server.address': new URL(receiver.url).hostname,
      'parley.webhook_id': webhook.id,
      'parley.attempt': 1,
    },
  });
  expect(JSON.stringify(attempts)).not.toContain('of-the-target');
}, 60_000);
