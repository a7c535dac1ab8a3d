import { randomUUID } from 'node:crypto';
import { startTracing } from '@parley/kit/runtime/telemetry/tracing';
import { attributesOf, startCollector } from '@parley/kit/testing/collector';
import { pushRequested } from './support/events.ts';
import { startPushes } from './support/platform.ts';

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

test('each attempt has a span with a link to the request that led to it; without tracing nothing is kept', async () => {
  const [platform, collector] = [await startPushes(), await startCollector()];
  platform.headers['traceparent'] = TRACEPARENT;
  const appId = randomUUID();
  await platform.publish(pushRequested(appId, [await platform.subscribe(appId, 'bob')]));
  const before = await platform.settled(appId, 'DELIVERED');
  expect(before).toMatchObject([{ traceparent: null }]);

  const stop = await startTracing({ service: 'push', endpoint: collector.endpoint });
  const other = randomUUID();
  const browser = await platform.subscribe(other, 'bob');
  await platform.publish(pushRequested(other, [browser]));
  expect(await platform.settled(other, 'DELIVERED')).toMatchObject([{ traceparent: TRACEPARENT }]);
  await platform.stop();
  await stop();
  collector.stop();
  const attempts = collector.spans().filter(({ name }) => name === 'push attempt');
  expect(attempts).toMatchObject([
    { kind: 3, links: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }], status: {} },
  ]);
  expect(attributesOf(attempts[0])).toMatchObject({
    ...{ 'parley.app_id': other, 'parley.push.provider': 'web' },
    ...{ 'parley.attempt': 1, 'parley.attempt.outcome': 'delivered' },
  });
  expect(JSON.stringify(attempts)).not.toContain(browser.token);
}, 60_000);
