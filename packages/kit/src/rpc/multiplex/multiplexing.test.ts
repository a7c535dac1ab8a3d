import type { DescMethod } from '@bufbuild/protobuf';
import { Code, type HandlerContext } from '@connectrpc/connect';
import { ChannelCredentials, Client as GrpcClient, Metadata } from '@grpc/grpc-js';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { Carriage } from '@parley/proto/parley/rpc/v1/call_pb';
import { until } from '@parley/testing';
import { runInContext } from '../../runtime/request-context.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { createHarness, failureOf, type Harness } from '../testing/harness.ts';
import { answerOf, isMultiplexed, nameOf, untilAnswered, type IdentityClient } from '../testing/named.ts';
import { createMultiplexing } from './multiplexing.ts';

let harness: Harness;
beforeEach(() => (harness = createHarness()));
afterEach(() => harness.close());

function connect(port: number): IdentityClient {
  return harness.connect(`127.0.0.1:${port}`, { multiplexing: {} }).client(IdentityService);
}

test('a call that its caller cancels fails at once, and its handler stops', async () => {
  const begun: HandlerContext[] = [];
  const { port } = await harness.serve({
    async findIdentities({ userIds }, ctx) {
      if (userIds.length > 0) {
        begun.push(ctx);
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
      }
      return { identities: [{ userId: nameOf('a', ctx) }] };
    },
  });
  const client = connect(port);
  await untilAnswered(client, 'a multiplexed');
  const [own, ofRequest] = [new AbortController(), new AbortController()];
  const failures = [
    failureOf(client.findIdentities({ userIds: ['x'] }, { signal: own.signal })),
    runInContext({ requestId: 'r', signal: ofRequest.signal }, () =>
      failureOf(client.findIdentities({ userIds: ['y'] })),
    ),
  ];
  await until(() => begun.length === 2 || undefined, { withinMs: 10_000, what: 'the calls at the server' });
  expect(begun.map(isMultiplexed)).toEqual([true, true]);
  expect(begun.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  own.abort();
  expect(await failures[0]).toMatchObject({ code: Code.Canceled });
  ofRequest.abort();
  expect(await failures[1]).toMatchObject({ code: Code.Canceled });
  const stopped = () => begun.every(({ signal }) => signal.aborted) || undefined;
  await until(stopped, { withinMs: 10_000, what: 'the end of the handlers' });
  expect(begun[0]?.signal.reason).toMatchObject({ code: Code.Canceled });
  expect(await answerOf(client)).toBe('a multiplexed');
});

test('a call that may not be repeated is made by itself', async () => {
  const { port } = await harness.serve({
    findIdentities: (_, ctx) => ({ identities: [{ userId: nameOf('a', ctx) }] }),
    createSession: (_, ctx) => ({ sessionToken: nameOf('a', ctx) }),
  });
  const client = connect(port);
  await untilAnswered(client, 'a multiplexed');
  expect((await client.createSession({})).sessionToken).toBe('a');
});

test('a call whose answer may be large is made by itself', () => {
  const { getMessage, listMessages } = MessagingService.method;
  const { listUserEvents } = ChangeLogService.method;
  const connect = () => new GrpcClient('127.0.0.1:1', ChannelCredentials.createInsecure());
  const log = createLogger({ service: 'test', level: 'silent' });
  const options = { address: '127.0.0.1:1', connect, metadata: new Metadata(), log };
  const { linksOf } = createMultiplexing({}, options);
  expect(linksOf(getMessage)).toBeDefined();
  expect(linksOf(listMessages)).toBeUndefined();
  expect(linksOf(listUserEvents)).toBeUndefined();
});

test('calls that are kept apart have streams of their own', async () => {
  const { findIdentities } = IdentityService.method;
  const { port } = await harness.serve({
    findIdentities: (_, ctx) => ({ identities: [{ userId: nameOf('a', ctx) }] }),
    findUnknownUsers: (_, ctx) => ({ userIds: [nameOf('b', ctx)] }),
  });
  const multiplexing = {
    carriageOf: (method: DescMethod) => (method === findIdentities ? Carriage.APART : Carriage.UNSPECIFIED),
  };
  const client = harness.connect(`127.0.0.1:${port}`, { multiplexing }).client(IdentityService);
  const opened = () => harness.lines.filter(({ msg }) => msg === 'multiplexing stream opened').length;
  await untilAnswered(client, 'a multiplexed');
  expect(opened()).toBe(1);
  const other = async () => (await client.findUnknownUsers({})).userIds[0] === 'b multiplexed' || undefined;
  await until(other, { withinMs: 10_000, what: 'the other call to be multiplexed' });
  expect(opened()).toBe(2);
});
