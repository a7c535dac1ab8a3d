import { Code, ConnectError } from '@connectrpc/connect';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { createHarness, failureOf } from '../../rpc/testing/harness.ts';
import { attributesOf, startCollector, type Span } from '../../testing/collector.ts';
import {
  currentTrace,
  extract,
  inject,
  inSpan,
  linksTo,
  openSpan,
  sampledTraceOf,
  startTracing,
} from './tracing.ts';

const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

/** The spans that `work` records. */
async function spansOf(work: () => Promise<unknown>): Promise<Span[]> {
  const collector = await startCollector();
  const stop = await startTracing({ service: 'test', endpoint: collector.endpoint });
  await work();
  await stop();
  collector.stop();
  return collector.spans();
}

test('without an endpoint no span is recorded', async () => {
  const stop = await startTracing({ service: 'test' });
  expect(await inSpan('work', {}, () => Promise.resolve(inject({})))).toEqual({});
  expect(openSpan('work', {})).toBeUndefined();
  expect(currentTrace()).toBeUndefined();
  expect(sampledTraceOf({ traceparent: TRACE })).toBeUndefined();
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

test.each([
  [Code.NotFound, 0],
  [Code.ResourceExhausted, 0],
  [Code.Unavailable, 2],
  [Code.Internal, 2],
])(
  'the spans of a call have its status %i; it is an error of the caller, and of the server: %i',
  async (code, ofServer) => {
    const harness = createHarness();
    const spans = await spansOf(async () => {
      const client = await harness.clientOf({
        issueNonce() {
          throw new ConnectError('no', code);
        },
      });
      await failureOf(client.issueNonce({}));
      await harness.close();
    });
    const [client, server] = [3, 2].map((kind) => spans.find((span) => span.kind === kind));
    for (const span of [client, server])
      expect(attributesOf(span)).toMatchObject({
        'rpc.system': 'grpc',
        'rpc.service': IdentityService.typeName,
        'rpc.method': 'IssueNonce',
        'rpc.grpc.status_code': code,
      });
    expect([client?.status.code, attributesOf(client)['error.type']]).toEqual([2, Code[code]]);
    expect(server?.status.code ?? 0).toBe(ofServer);
  },
);

test('a handler that throws anything else has the status Internal', async () => {
  const harness = createHarness();
  const spans = await spansOf(async () => {
    const client = await harness.clientOf({
      issueNonce() {
        throw new Error('broken');
      },
    });
    await failureOf(client.issueNonce({}));
    await harness.close();
  });
  expect(spans.map((span) => attributesOf(span)['rpc.grpc.status_code'])).toEqual([13, 13]);
});

test('the spans of a call that succeeds have the status 0 and no error', async () => {
  const harness = createHarness();
  const spans = await spansOf(async () => {
    const client = await harness.clientOf({ issueNonce: () => ({}) });
    await client.issueNonce({});
    await harness.close();
  });
  expect(spans.map((span) => attributesOf(span)['rpc.grpc.status_code'])).toEqual([0, 0]);
  expect(spans.map(({ status }) => status.code ?? 0)).toEqual([0, 0]);
});

test('links are to the first 64 of the traces, to each once', async () => {
  const traceOf = (id: number): string => `00-${'a'.repeat(32)}-${String(id).padStart(16, '0')}-01`;
  const traces = Array.from({ length: 100 }, (_, index) => traceOf(index + 1));
  const spans = await spansOf(async () => {
    openSpan('many', { links: linksTo(traces) })?.end();
    openSpan('one', { links: linksTo([TRACE, undefined, null, 'no trace', TRACE]) })?.end();
  });
  expect(spans.map(({ links }) => links.length)).toEqual([64, 1]);
});

test('only the trace of a sampled span is kept', async () => {
  await spansOf(async () => {
    expect(sampledTraceOf({ traceparent: TRACE })).toBe(TRACE);
    expect(sampledTraceOf({ traceparent: TRACE.replace(/01$/, '00') })).toBeUndefined();
    expect(sampledTraceOf({ traceparent: `${TRACE}; drop table` })).toBeUndefined();
    expect(sampledTraceOf({})).toBeUndefined();
    expect(currentTrace()).toBeUndefined();
    await inSpan('work', {}, async () => expect(currentTrace()).toMatch(/^00-.*-01$/));
    const parent = extract({ traceparent: TRACE.replace(/01$/, '00') });
    await inSpan('work', { parent }, async () => expect(currentTrace()).toBeUndefined());
  });
});
