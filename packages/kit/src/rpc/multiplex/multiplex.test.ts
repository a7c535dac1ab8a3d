import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { ProblemSchema } from '@parley/proto/parley/problem/v1/problem_pb';
import { until } from '@parley/testing';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { currentContext, runInContext } from '../../runtime/request-context.ts';
import { requireSecret } from '../admission.ts';
import { mount } from '../mount.ts';
import { toReplica } from '../replica-choice.ts';
import { createHarness, failureOf, SECRET, type Harness } from '../testing/harness.ts';
import { answerOf, nameOf, untilAnswered, type IdentityClient } from '../testing/named.ts';

let harness: Harness;
beforeEach(() => (harness = createHarness()));
afterEach(() => harness.close());

function connect(...ports: number[]): IdentityClient {
  const address = ports.map((port) => `127.0.0.1:${port}`).join();
  return harness.connect(address, { multiplexing: {} }).client(IdentityService);
}

/** A server that answers by its name, and whether the call was multiplexed. */
function serveNamed(name: string, port?: number) {
  return harness.serve(
    { findIdentities: (_, ctx) => ({ identities: [{ userId: nameOf(name, ctx) }] }) },
    port,
  );
}

test('a call for a server goes there while that takes calls, and elsewhere afterwards', async () => {
  const [a, b] = await Promise.all([serveNamed('a'), serveNamed('b')]);
  const channel = harness.connect(`127.0.0.1:${a.port},127.0.0.1:${b.port}`, {
    multiplexing: {},
  });
  const client = channel.client(IdentityService);
  await untilAnswered(client, 'a multiplexed');
  await untilAnswered(client, 'b multiplexed');
  const numberOf = ({ port }: { port: number }) =>
    [...Array(100).keys()].find((number) => channel.preferredReplica(number)?.endsWith(`:${port}`))!;
  const ask = async (number: number) =>
    (await client.findIdentities({}, toReplica(channel.preferredReplica(number)))).identities[0]?.userId;
  for (let times = 0; times < 5; times += 1) {
    expect(await ask(numberOf(a))).toBe('a multiplexed');
    expect(await ask(numberOf(b))).toBe('b multiplexed');
  }
  const number = numberOf(a);
  await a.server.stop(0);
  expect(await ask(number)).toMatch(/^b/);
});

test('a server that lets a deadline pass is avoided until it answers', async () => {
  let isSilent = false;
  let answerAll: () => void = () => undefined;
  const mute = await harness.serve({
    async findIdentities(_, ctx) {
      if (isSilent) await new Promise<void>((resolve) => (answerAll = resolve));
      return { identities: [{ userId: nameOf('mute', ctx) }] };
    },
  });
  const other = await serveNamed('other');
  const address = `127.0.0.1:${mute.port},127.0.0.1:${other.port}`;
  const client = harness.connect(address, { multiplexing: {} }).client(IdentityService);
  await untilAnswered(client, 'mute multiplexed');
  await untilAnswered(client, 'other multiplexed');
  isSilent = true;
  const late = { ...toReplica(`ipv4:127.0.0.1:${mute.port}`), timeoutMs: 100 };
  await expect(client.findIdentities({}, late)).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  for (let times = 0; times < 4; times += 1) expect(await answerOf(client)).toBe('other multiplexed');
  isSilent = false;
  answerAll();
  await untilAnswered(client, 'mute multiplexed');
});

test('calls share one stream to each server, and the servers take turns', async () => {
  const [a, b] = await Promise.all([serveNamed('a'), serveNamed('b')]);
  const client = connect(a.port, b.port);
  await untilAnswered(client, 'a multiplexed');
  await untilAnswered(client, 'b multiplexed');
  const answers = await Promise.all(Array.from({ length: 20 }, () => answerOf(client)));
  expect(answers.filter((answer) => answer === 'a multiplexed')).toHaveLength(10);
  expect(answers.filter((answer) => answer === 'b multiplexed')).toHaveLength(10);
  await a.server.stop(0);
  expect(await Promise.all(Array.from({ length: 4 }, () => answerOf(client)))).toEqual(
    Array(4).fill('b multiplexed'),
  );
  await serveNamed('a again', a.port);
  await untilAnswered(client, 'a again multiplexed');
});

test('a call has its request context, its deadline, and an answer of its own, in any order', async () => {
  const waiting: (() => void)[] = [];
  const { port } = await harness.serve({
    async findIdentities({ userIds: [name = ''] }, ctx) {
      const { requestId, operationId, deadline = 0 } = currentContext() ?? {};
      if (name === 'slow') await new Promise<void>((resolve) => waiting.push(resolve));
      const left = deadline - performance.now();
      const isSoon = left > 1_000 && left <= 2_000 && ctx.timeoutMs() !== undefined;
      return { identities: [{ userId: `${nameOf(name, ctx)} ${requestId} ${operationId} ${isSoon}` }] };
    },
  });
  const client = connect(port);
  const call = (name: string, deadline = performance.now() + 2_000) =>
    runInContext({ requestId: `of ${name}`, operationId: 'op', deadline }, () =>
      answerOf(client, { userIds: [name] }),
    );
  const what = { withinMs: 10_000, what: 'a multiplexed call' };
  await until(async () => (await call('first'))?.includes('multiplexed') || undefined, what);
  const slow = call('slow');
  expect(await call('quick')).toBe('quick multiplexed of quick op true');
  waiting.forEach((go) => go());
  expect(await slow).toBe('slow multiplexed of slow op true');
});

test('errors arrive as they were thrown', async () => {
  const problem = create(ProblemSchema, { id: 'invalid_property', data: { limits: [1, 2] } });
  const { port } = await harness.serve({
    findIdentities(_, ctx) {
      const detail = { desc: ProblemSchema, value: problem };
      throw new ConnectError(nameOf('böse', ctx), Code.InvalidArgument, { 'x-more': 'yes' }, [detail]);
    },
  });
  const client = connect(port);
  const error = await until(
    async () => {
      const failure = ConnectError.from(await failureOf(answerOf(client)));
      return failure.rawMessage === 'böse multiplexed' ? failure : undefined;
    },
    { withinMs: 10_000, what: 'the error of a multiplexed call' },
  );
  expect(error.code).toBe(Code.InvalidArgument);
  expect(error.metadata.get('x-more')).toBe('yes');
  expect(error.findDetails(ProblemSchema)).toEqual([problem]);
});

test('a call that is not answered in time fails, and its handler stops; so does one whose client goes away', async () => {
  const begun: AbortSignal[] = [];
  const { port } = await harness.serve({
    async findIdentities({ userIds }, ctx) {
      if (userIds.length > 0) {
        begun.push(ctx.signal);
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
      }
      return { identities: [{ userId: nameOf('a', ctx) }] };
    },
  });
  const client = connect(port);
  await untilAnswered(client, 'a multiplexed');
  const late = failureOf(client.findIdentities({ userIds: ['never'] }, { timeoutMs: 50 }));
  expect(await late).toMatchObject({ code: Code.DeadlineExceeded });
  await until(() => begun[0]?.aborted || undefined, { withinMs: 10_000, what: 'the deadline at the server' });
  expect(begun[0]?.reason).toMatchObject({ code: Code.DeadlineExceeded });

  const channel = harness.connect(`127.0.0.1:${port}`, { multiplexing: {} });
  const other = channel.client(IdentityService);
  await untilAnswered(other, 'a multiplexed');
  const left = failureOf(other.findIdentities({ userIds: ['never'] }));
  await until(() => begun[1], { withinMs: 10_000, what: 'the call at the server' });
  channel.close();
  await left;
  await until(() => begun[1]?.aborted || undefined, { withinMs: 10_000, what: 'the cancellation' });
});

test('what a stream cannot take is called by itself', async () => {
  const names: string[] = [];
  const release = Promise.withResolvers<void>();
  const { port } = await harness.serve({
    async findIdentities({ userIds }, ctx) {
      if (userIds[0] === 'wait') {
        names.push(nameOf('waits', ctx));
        await release.promise;
      }
      return { identities: [{ userId: nameOf('a', ctx) }] };
    },
  });
  const client = connect(port);
  await untilAnswered(client, 'a multiplexed');
  expect(await answerOf(client, { userIds: ['x'.repeat(2_000_000)] })).toBe('a');
  const headers = { 'x-own': 'header' };
  expect((await client.findIdentities({}, { headers })).identities[0]?.userId).toBe('a');
  expect((await client.findIdentities({}, { timeoutMs: 0 })).identities[0]?.userId).toBe('a');
  const many = Array.from({ length: 100 }, () => answerOf(client, { userIds: ['wait'] }));
  await until(() => names.length === 100 || undefined, { withinMs: 10_000, what: 'the calls at the server' });
  expect(names.filter((name) => name === 'waits multiplexed')).toHaveLength(64);
  release.resolve();
  await Promise.all(many);
  expect(await answerOf(client)).toBe('a multiplexed');
});

test('a server that stops answers the calls that it has, and further ones go elsewhere', async () => {
  const release = Promise.withResolvers<void>();
  const begun: string[] = [];
  const [a, b] = await Promise.all([
    harness.serve({
      async findIdentities({ userIds }, ctx) {
        if (userIds.length > 0) {
          begun.push(nameOf('a', ctx));
          await release.promise;
        }
        return { identities: [{ userId: nameOf('a', ctx) }] };
      },
    }),
    serveNamed('b'),
  ]);
  const client = connect(a.port, b.port);
  await untilAnswered(client, 'b multiplexed');
  await untilAnswered(client, 'a multiplexed');
  const held = Promise.all([answerOf(client, { userIds: ['x'] }), answerOf(client, { userIds: ['x'] })]);
  await until(() => begun[0], { withinMs: 10_000, what: 'the call at the server' });
  expect(begun).toEqual(['a multiplexed']);
  const stopped = a.server.stop(60_000);
  await untilAllFrom(client, 'b multiplexed');
  release.resolve();
  expect((await held).sort()).toEqual(['a multiplexed', 'b multiplexed']);
  await stopped;
});

/** Waits until four calls in a row have the answer. */
function untilAllFrom(client: IdentityClient, expected: string) {
  const ask = async () => {
    const answers = [
      await answerOf(client),
      await answerOf(client),
      await answerOf(client),
      await answerOf(client),
    ];
    return answers.every((answer) => answer === expected) || undefined;
  };
  return until(ask, { withinMs: 10_000, what: `only the answer ${expected}` });
}

test('a server of the release before gets its calls one by one', async () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  const server = new Server();
  const impl = {
    findIdentities: (_: unknown, ctx: HandlerContext) => ({ identities: [{ userId: nameOf('old', ctx) }] }),
  };
  mount(server, IdentityService, impl, {
    log,
    authenticate: requireSecret([SECRET]),
    observe: () => undefined,
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  harness.onClose(() => server.forceShutdown());
  const client = connect(port);
  expect(await answerOf(client)).toBe('old');
  const ended = () => harness.lines.find(({ msg }) => msg === 'multiplexing stream ended');
  expect(await until(ended, { withinMs: 10_000, what: 'the refusal' })).toMatchObject({
    code: Code.Unimplemented,
  });
  expect(await answerOf(client)).toBe('old');
});

test('needs the secret', async () => {
  const { port } = await serveNamed('a');
  const options = { secret: 'wrong', multiplexing: {} };
  const client = harness.connect(`127.0.0.1:${port}`, options).client(IdentityService);
  await expect(answerOf(client)).rejects.toMatchObject({ code: Code.Unauthenticated });
  const ended = () => harness.lines.find(({ msg }) => msg === 'multiplexing stream ended');
  expect(await until(ended, { withinMs: 10_000, what: 'the refusal' })).toMatchObject({
    code: Code.Unauthenticated,
  });
  await expect(answerOf(client)).rejects.toMatchObject({ code: Code.Unauthenticated });
});
