import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { createHarness } from '../rpc/testing/harness.ts';
import { startCollector } from '../testing/collector.ts';
import { extract, inject, inSpan, startTracing } from './tracing.ts';

test('without an endpoint no span is recorded', async () => {
  const stop = await startTracing({ service: 'test' });
  expect(await inSpan('work', {}, () => Promise.resolve(inject({})))).toEqual({});
  await stop();
});

test('a trace follows a call from the client into the handler, and what it injects', async () => {
  const collector = await startCollector();
  const stop = await startTracing({ service: 'messaging', endpoint: collector.endpoint });
  const harness = createHarness();
  let carrier: Record<string, string> = {};
  const client = await harness.clientOf({
    issueNonce() {
      carrier = inject({});
      return {};
    },
  });
  await inSpan('request', {}, () => client.issueNonce({}));
  await inSpan('consumer', { parent: extract(carrier) }, () => Promise.resolve());
  await harness.close();
  await stop();
  collector.stop();
  const byName = new Map(collector.spans().map((span) => [`${span.name} ${span.kind}`, span]));
  const rpc = `${IdentityService.typeName}/IssueNonce`;
  const [request, sent, handled, consumed] = ['request 1', `${rpc} 3`, `${rpc} 2`, 'consumer 1'].map((name) =>
    byName.get(name),
  );
  expect(sent?.parentSpanId).toBe(request?.spanId);
  expect(handled?.parentSpanId).toBe(sent?.spanId);
  expect(consumed?.parentSpanId).toBe(handled?.spanId);
  expect(new Set(collector.spans().map((span) => span.traceId)).size).toBe(1);
  expect(collector.spans()).toHaveLength(4);
  expect(JSON.stringify(collector.exports[0]?.resourceSpans[0]?.resource)).toContain('messaging');
});
