import { create } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { Code, ConnectError } from '@connectrpc/connect';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { Health, HealthCheckResponseSchema } from '@parley/proto/grpc/health/v1/health_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { createLogger } from '../runtime/telemetry/log.ts';
import { runInContext } from '../runtime/request-context.ts';
import { requireSecret } from './admission.ts';
import { mount } from './mount.ts';
import { collect, createHarness, failureOf, SECRET, type Harness } from './testing/harness.ts';
import { startTracing } from '../runtime/telemetry/tracing.ts';
import { attributeOf, startCollector } from '../testing/collector.ts';

let harness: Harness;
beforeEach(() => (harness = createHarness()));
afterEach(() => harness.close());

describe('round robin', () => {
  test('calls are spread over the servers of a list, and go on when one is killed', async () => {
    const servers = await Promise.all(
      ['a', 'b'].map((nonce) => harness.serve({ issueNonce: () => ({ nonce }) })),
    );
    const list = servers.map(({ port }) => `localhost:${port}`).join(', ');
    const client = harness.connect(list).client(IdentityService);
    await reach(client, 'a');
    await reach(client, 'b');
    expect(await countNonces(client, 20)).toEqual({ a: 10, b: 10 });
    await servers[0]?.server.stop(0);
    expect(await countNonces(client, 20)).toEqual({ b: 20 });
  });

  test('a server that comes back is used again', async () => {
    const { server, port } = await harness.serve({ issueNonce: () => ({ nonce: 'first' }) });
    const client = harness.connect(`dns:///localhost:${port}`).client(IdentityService);
    expect(await client.issueNonce({})).toMatchObject({ nonce: 'first' });
    await server.stop(0);
    await expect(client.createSession({})).rejects.toMatchObject({ code: Code.Unavailable });
    await harness.serve({ issueNonce: () => ({ nonce: 'second' }) }, port);
    await reach(client, 'second');
  });

  test('every call waits for a server that is being restarted', async () => {
    const { server, port } = await harness.serve({ createSession: () => ({ userId: 'first' }) });
    const client = harness.connect(`127.0.0.1:${port}`).client(IdentityService);
    await client.createSession({});
    await server.stop(0);
    await expect(client.createSession({})).rejects.toMatchObject({ code: Code.Unavailable });
    const waiting = client.createSession({});
    await harness.serve({ createSession: () => ({ userId: 'second' }) }, port);
    expect(await waiting).toMatchObject({ userId: 'second' });
  });

  test('a name that cannot be resolved is Unavailable', async () => {
    const client = harness.connect('no-such-host.invalid:1').client(IdentityService);
    await expect(client.issueNonce({})).rejects.toMatchObject({ code: Code.Unavailable });
  });
});

describe('trying again', () => {
  const unavailable = () => {
    throw new ConnectError('not now', Code.Unavailable);
  };

  test('a call without side effects is tried twice', async () => {
    const { seen, client } = await counting(unavailable);
    await expect(client.issueNonce({})).rejects.toMatchObject({ code: Code.Unavailable });
    expect(seen).toEqual(['issueNonce', 'issueNonce']);
  });

  test('any other call is tried once', async () => {
    const { seen, client } = await counting(unavailable);
    await expect(client.createSession({})).rejects.toMatchObject({ code: Code.Unavailable });
    expect(seen).toEqual(['createSession']);
  });

  test('a call that the server refused for another reason is not tried again', async () => {
    const { seen, client } = await counting(() => {
      throw new ConnectError('no', Code.Aborted);
    });
    await expect(client.issueNonce({})).rejects.toMatchObject({ code: Code.Aborted });
    expect(seen).toEqual(['issueNonce']);
  });

  test('the second try can succeed', async () => {
    let tries = 0;
    const { client } = await counting(() => ((tries += 1) === 1 ? unavailable() : {}));
    await expect(client.issueNonce({})).resolves.toBeDefined();
  });

  async function counting(answer: () => object) {
    const seen: string[] = [];
    const impl = (name: string) => () => {
      seen.push(name);
      return answer();
    };
    const { port } = await harness.serve({
      issueNonce: impl('issueNonce'),
      createSession: impl('createSession'),
    });
    return { seen, client: harness.connect(`127.0.0.1:${port}`).client(IdentityService) };
  }
});

describe('the request that a call is made for', () => {
  test('gives it its id and, where that is earlier, its deadline', async () => {
    let left = 0;
    const client = await harness.clientOf({
      issueNonce(_request, ctx) {
        left = ctx.timeoutMs() ?? Infinity;
        return { nonce: ctx.requestHeader.get('x-request-id') ?? '' };
      },
    });
    const deadline = performance.now() + 4_000;
    const answer = await runInContext({ requestId: 'r-1', deadline }, () =>
      client.issueNonce({}, { timeoutMs: 9_000 }),
    );
    expect(answer.nonce).toBe('r-1');
    expect(left).toBeLessThanOrEqual(4_000);
    await runInContext({ requestId: 'r-2', deadline: performance.now() + 60_000 }, () =>
      client.issueNonce({}),
    );
    expect(left).toBeLessThanOrEqual(5_000);
  });

  test('is over: the call is not sent', async () => {
    let calls = 0;
    const client = await harness.clientOf({ issueNonce: () => ({ nonce: String((calls += 1)) }) });
    const late = { requestId: 'r', deadline: performance.now() - 1 };
    await expect(runInContext(late, () => client.issueNonce({}))).rejects.toMatchObject({
      code: Code.DeadlineExceeded,
    });
    const gone = { requestId: 'r', signal: AbortSignal.abort() };
    await expect(runInContext(gone, () => client.issueNonce({}))).rejects.toMatchObject({
      code: Code.Canceled,
    });
    expect(calls).toBe(0);
  });

  test('is cancelled: so is the call', async () => {
    const begun = Promise.withResolvers<void>();
    const client = await harness.clientOf({
      issueNonce() {
        begun.resolve();
        return new Promise(() => undefined);
      },
    });
    const abort = new AbortController();
    const call = failureOf(
      runInContext({ requestId: 'r', signal: abort.signal }, () => client.issueNonce({})),
    );
    await begun.promise;
    abort.abort();
    expect(await call).toMatchObject({ code: Code.Canceled });
  });
});

describe('server streaming', () => {
  test('gives every message, in order', async () => {
    const client = await watcher(async function* () {
      for (let status = 0; status < 500; status += 1) yield { status };
    });
    const seen = (await collect(client.watch({}))).map(({ status }) => status as number);
    expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => index));
  });

  test('has a span that lasts until its end, with its status', async () => {
    const collector = await startCollector();
    const stop = await startTracing({ service: 'test', endpoint: collector.endpoint });
    const client = await watcher(async function* () {
      yield { status: 1 };
      throw new ConnectError('broken', Code.DataLoss);
    });
    await expect(collect(client.watch({}))).rejects.toMatchObject({ code: Code.DataLoss });
    await stop();
    collector.stop();
    const spans = collector.spans();
    const [sent, served] = [3, 2].map((kind) => spans.find((span) => span.kind === kind));
    expect(served?.parentSpanId).toBe(sent?.spanId);
    for (const span of [sent, served]) {
      expect(attributeOf(span, 'rpc.grpc.status_code')).toBe(Code.DataLoss);
      expect(span?.status.code).toBe(2);
    }
  });

  test('ends with the error of the server after the messages before it', async () => {
    const client = await watcher(async function* () {
      yield { status: 1 };
      throw new ConnectError('broken', Code.DataLoss);
    });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { status } of client.watch({})) seen.push(status);
    })();
    await expect(reading).rejects.toMatchObject({ code: Code.DataLoss, rawMessage: 'broken' });
    expect(seen).toEqual([1]);
  });

  test('a slow reader holds the writer back, and one that goes away stops it', async () => {
    let written = 0;
    const stopped = Promise.withResolvers<void>();
    const client = await watcher(async function* () {
      try {
        for (;;) {
          written += 1;
          yield bulky(256 * 1024);
        }
      } finally {
        stopped.resolve();
      }
    });
    const abort = new AbortController();
    let read = 0;
    const reading = (async () => {
      for await (const _ of client.watch({}, { signal: abort.signal }))
        if ((read += 1) === 100) abort.abort();
    })();
    await expect(reading).rejects.toMatchObject({ code: Code.Canceled });
    await stopped.promise;
    expect(written).toBeLessThan(100 + 64); // what fits the windows of both ends
  });

  test('has no deadline but its own', async () => {
    const left: (number | undefined)[] = [];
    const client = await watcher(async function* (_request, ctx) {
      left.push(ctx.timeoutMs());
      yield {};
    });
    await collect(client.watch({}));
    await collect(client.watch({}, { timeoutMs: 1_000 }));
    expect(left).toEqual([undefined, expect.any(Number)]);
  });

  test('needs the secret', async () => {
    const client = await watcher(async function* () {
      yield {};
    }, 'another secret, a wrong one');
    await expect(collect(client.watch({}))).rejects.toMatchObject({ code: Code.Unauthenticated });
  });
});

/** A message of some size, by a field that the schema does not have. */
function bulky(bytes: number) {
  const data = new BinaryWriter().bytes(new Uint8Array(bytes)).finish();
  const message = create(HealthCheckResponseSchema);
  message.$unknown = [{ no: 15, wireType: WireType.LengthDelimited, data }];
  return message;
}

type Watch = NonNullable<Parameters<typeof mount<typeof Health>>[2]['watch']>;

/** A client of a health service with a custom `watch`, the only streaming method available. */
async function watcher(watch: Watch, secret = SECRET) {
  const server = new Server();
  const log = createLogger({ service: 'test', level: 'silent' });
  mount(server, Health, { watch }, { log, authenticate: requireSecret([SECRET]), observe: () => undefined });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  harness.onClose(() => server.forceShutdown());
  return harness.connect(`127.0.0.1:${port}`, { secret }).client(Health);
}

type Nonces = { issueNonce(request: object): Promise<{ nonce: string }> };

/** Repeats the call until the server with this `nonce` answers: connections come up one by one. */
async function reach(client: Nonces, nonce: string): Promise<void> {
  for (;;) {
    const answer = await client.issueNonce({}).catch(() => undefined);
    if (answer?.nonce === nonce) return;
    await new Promise(setImmediate);
  }
}

async function countNonces(client: Nonces, calls: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let call = 0; call < calls; call += 1) {
    const { nonce } = await client.issueNonce({});
    counts[nonce] = (counts[nonce] ?? 0) + 1;
  }
  return counts;
}
