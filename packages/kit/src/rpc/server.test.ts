import { once } from 'node:events';
import { create, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { Health, HealthCheckResponse_ServingStatus as Serving } from '@parley/proto/grpc/health/v1/health_pb';
import { ServerReflection } from '@parley/proto/grpc/reflection/v1/reflection_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { ProblemSchema } from '@parley/proto/parley/problem/v1/problem_pb';
import { currentContext } from '../runtime/request-context.ts';
import { collect, createHarness, failureOf, type Harness } from './testing/harness.ts';
import { rawCall } from './testing/raw-call.ts';

let harness: Harness;
beforeEach(() => (harness = createHarness()));
afterEach(() => harness.close());

describe('errors', () => {
  test('details arrive as they were thrown', async () => {
    const problem = create(ProblemSchema, {
      id: 'invalid_property',
      message: 'Überlang — “body”',
      data: { property: 'parts.0.body', limits: [1, 2] },
    });
    const client = await harness.clientOf({
      createSession() {
        throw new ConnectError('böse', Code.InvalidArgument, { 'x-more': 'yes' }, [
          { desc: ProblemSchema, value: problem },
        ]);
      },
    });
    const error = ConnectError.from(await failureOf(client.createSession({})));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toBe('böse');
    expect(error.metadata.get('x-more')).toBe('yes');
    expect(error.findDetails(ProblemSchema)).toEqual([problem]);
  });

  test('a message without details keeps its characters', async () => {
    const client = await harness.clientOf({
      issueNonce() {
        throw new ConnectError('50 % für „alle“', Code.NotFound);
      },
    });
    await expect(client.issueNonce({})).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: '50 % für „alle“',
    });
  });

  test('an unexpected one is Internal without a word of it, and logged with the request id', async () => {
    const client = await harness.clientOf({
      issueNonce() {
        throw new Error('password of the database');
      },
    });
    const error = ConnectError.from(
      await failureOf(client.issueNonce({}, { headers: { 'x-request-id': 'r-1' } })),
    );
    expect(error.code).toBe(Code.Internal);
    expect(error.message).not.toContain('password');
    expect(harness.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        requestId: 'r-1',
        rpc: 'parley.identity.v1.IdentityService/IssueNonce',
      }),
    );
  });

  test('a method that is not implemented is Unimplemented', async () => {
    const client = await harness.clientOf({});
    await expect(client.issueNonce({})).rejects.toMatchObject({ code: Code.Unimplemented });
  });

  test('a message above 8 MiB is refused', async () => {
    const client = await harness.clientOf({ createSession: () => ({}) });
    const identityToken = 'x'.repeat(9 * 1024 * 1024);
    const patient = { timeoutMs: 30_000 };
    await expect(client.createSession({ identityToken }, patient)).rejects.toMatchObject({
      code: Code.ResourceExhausted,
    });
    await expect(
      client.createSession({ identityToken: identityToken.slice(0, 7_000_000) }, patient),
    ).resolves.toBeDefined();
  });
});

describe('time and cancelling', () => {
  test('the handler has the deadline of the caller', async () => {
    let left: number[] = [];
    const client = await harness.clientOf({
      issueNonce(_request, ctx) {
        left = [ctx.timeoutMs() ?? NaN, (currentContext()?.deadline ?? 0) - performance.now()];
        return {};
      },
    });
    await client.issueNonce({}, { timeoutMs: 60_000 });
    for (const ms of left) expect(ms).toBeGreaterThan(40_000);
    for (const ms of left) expect(ms).toBeLessThanOrEqual(60_000);
    await client.issueNonce({});
    for (const ms of left) expect(ms).toBeGreaterThan(0);
    for (const ms of left) expect(ms).toBeLessThanOrEqual(5_000);
  });

  test('nothing is begun for a call whose deadline has passed', async () => {
    let calls = 0;
    const { port } = await harness.serve({ issueNonce: () => ({ nonce: String((calls += 1)) }) });
    expect(await rawCall(port, { 'grpc-timeout': '1n' })).toBe(String(Code.DeadlineExceeded));
    expect(calls).toBe(0);
    expect(await rawCall(port, { 'grpc-timeout': '4S' })).toBe('0');
    expect(calls).toBe(1);
  });

  test('the signal aborts when the client cancels', async () => {
    const begun = Promise.withResolvers<HandlerContext>();
    const client = await harness.clientOf({
      async issueNonce(_request, ctx) {
        begun.resolve(ctx);
        await once(ctx.signal, 'abort');
        return {};
      },
    });
    const abort = new AbortController();
    const call = failureOf(client.issueNonce({}, { signal: abort.signal }));
    const { signal } = await begun.promise;
    expect(signal.aborted).toBe(false);
    abort.abort();
    if (!signal.aborted) await once(signal, 'abort');
    expect(signal.reason).toMatchObject({ code: Code.Canceled });
    expect(await call).toMatchObject({ code: Code.Canceled });
  });

  test('the signal aborts when the deadline passes', async () => {
    const aborted = Promise.withResolvers<unknown>();
    const client = await harness.clientOf({
      async issueNonce(_request, { signal }) {
        await once(signal, 'abort');
        aborted.resolve(signal.reason);
        return {};
      },
    });
    await expect(client.issueNonce({}, { timeoutMs: 500 })).rejects.toMatchObject({
      code: Code.DeadlineExceeded,
    });
    expect(await aborted.promise).toMatchObject({ code: expect.any(Number) });
  });

  test('the signal does not abort when the call is answered', async () => {
    let signal: AbortSignal | undefined;
    const client = await harness.clientOf({
      issueNonce(_request, ctx) {
        signal ??= ctx.signal;
        return {};
      },
    });
    await client.issueNonce({});
    await client.issueNonce({}); // the end of the first has been seen by then
    expect(signal?.aborted).toBe(false);
  });
});

test('a handler runs in the request context of its call', async () => {
  const client = await harness.clientOf({ issueNonce: () => ({ nonce: currentContext()?.requestId ?? '' }) });
  expect(await client.issueNonce({}, { headers: { 'x-request-id': 'r-7' } })).toMatchObject({ nonce: 'r-7' });
  expect((await client.issueNonce({})).nonce).toMatch(/^[\da-f-]{36}$/);
});

test('headers travel both ways', async () => {
  const client = await harness.clientOf({
    issueNonce(_request, ctx) {
      ctx.responseHeader.set('x-head', ctx.requestHeader.get('x-asked') ?? '');
      ctx.responseTrailer.set('x-tail', 'end');
      return {};
    },
  });
  const seen: (string | null)[] = [];
  await client.issueNonce(
    {},
    {
      headers: { 'x-asked': '42' },
      onHeader: (header) => seen.push(header.get('x-head')),
      onTrailer: (trailer) => seen.push(trailer.get('x-tail')),
    },
  );
  expect(seen).toEqual(['42', 'end']);
});

test('calls are counted by method and status', async () => {
  const client = await harness.clientOf({ issueNonce: () => ({}) });
  await client.issueNonce({});
  await failureOf(client.createSession({}));
  const text = await harness.metrics.registry.metrics();
  expect(text).toMatch(/rpc_server_seconds_count\{.*method="IssueNonce",code="OK".*\} 1/);
  expect(text).toMatch(/rpc_server_seconds_count\{.*method="CreateSession",code="Unimplemented".*\} 1/);
});

describe('health and reflection, which need no secret', () => {
  test('health reports whether the server is serving', async () => {
    const { server, port } = await harness.serve({});
    const health = harness.connect(`127.0.0.1:${port}`, { secret: undefined }).client(Health);
    expect(await health.check({})).toMatchObject({ status: Serving.SERVING });
    expect(await health.check({ service: IdentityService.typeName })).toMatchObject({
      status: Serving.SERVING,
    });
    await expect(health.check({ service: 'nobody' })).rejects.toMatchObject({ code: Code.NotFound });
    server.setServing(false);
    expect(await health.check({})).toMatchObject({ status: Serving.NOT_SERVING });
  });

  test('health is watched, and the watch ends with the server', async () => {
    const { server, port } = await harness.serve({});
    const health = harness.connect(`127.0.0.1:${port}`, { secret: undefined }).client(Health);
    const seen: Serving[] = [];
    for await (const { status } of health.watch({})) {
      seen.push(status);
      if (seen.length === 1) server.setServing(false);
      if (seen.length === 2) server.setServing(true);
      if (seen.length === 3) void server.stop(5_000);
    }
    expect(seen.slice(0, 3)).toEqual([Serving.SERVING, Serving.NOT_SERVING, Serving.SERVING]);
  });

  test('reflection lists the services and gives their files', async () => {
    const { port } = await harness.serve({});
    const reflection = harness.connect(`127.0.0.1:${port}`, { secret: undefined }).client(ServerReflection);
    async function* questions() {
      yield { messageRequest: { case: 'listServices' as const, value: '' } };
      yield { messageRequest: { case: 'fileContainingSymbol' as const, value: 'parley.identity.v1.Caller' } };
      yield { messageRequest: { case: 'fileContainingSymbol' as const, value: 'parley.Nothing' } };
    }
    const replies = await collect(reflection.serverReflectionInfo(questions()));
    const answers = replies.map((reply) => reply.messageResponse);
    expect(answers.map((answer) => answer.case)).toEqual([
      'listServicesResponse',
      'fileDescriptorResponse',
      'errorResponse',
    ]);
    const [list, found] = answers;
    if (list?.case !== 'listServicesResponse' || found?.case !== 'fileDescriptorResponse')
      throw new Error('no answer');
    expect(list.value.service.map(({ name }) => name)).toContain(IdentityService.typeName);
    const files = found.value.fileDescriptorProto.map(
      (bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name,
    );
    expect(files[0]).toBe('parley/identity/v1/identity_service.proto');
    expect(files).toContain('google/protobuf/struct.proto');
  });
});

test('stopping lets the calls in flight end', async () => {
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { server, port } = await harness.serve({
    async issueNonce() {
      begun.resolve();
      await goOn.promise;
      return { nonce: 'late' };
    },
  });
  const call = harness.connect(`127.0.0.1:${port}`).client(IdentityService).issueNonce({});
  await begun.promise;
  const stopped = server.stop(10_000);
  goOn.resolve();
  expect(await call).toMatchObject({ nonce: 'late' });
  await stopped;
});

test('stopping cancels the calls that do not end in time', async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const { server, port } = await harness.serve({
    issueNonce(_, { signal }) {
      begun.resolve(signal);
      return new Promise<never>(() => undefined);
    },
  });
  const client = harness.connect(`127.0.0.1:${port}`).client(IdentityService);
  const call = failureOf(client.issueNonce({}, { timeoutMs: 60_000 }));
  const signal = await begun.promise;
  await server.stop(20);
  expect(signal.aborted).toBe(true);
  expect(await call).toMatchObject({ code: Code.Canceled });
});
