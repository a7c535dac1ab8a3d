import { Client as GrpcClient, ChannelCredentials, Metadata } from '@grpc/grpc-js';
import {
  FindIdentitiesRequestSchema,
  IdentityService,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import { until } from '@parley/testing';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { pathOf } from '../client-call.ts';
import { encode } from '../codec.ts';
import { createHarness, SECRET, type Harness } from '../testing/harness.ts';
import { createLinks } from './links.ts';
import { carry, type CarriedAnswer, type Stream } from './stream.ts';

let harness: Harness;
beforeEach(() => (harness = createHarness()));
afterEach(() => harness.close());

const log = createLogger({ service: 'test', level: 'silent' });

function createTestLinks(port: number, maxAgeMs: number) {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${SECRET}`);
  const links = createLinks({
    address: `127.0.0.1:${port}`,
    connect: (target) => new GrpcClient(target, ChannelCredentials.createInsecure()),
    metadata,
    log,
    maxAgeMs,
  });
  harness.onClose(() => links.close());
  return links;
}

test('a stream is replaced at its maximum age, and answers the calls that it has', async () => {
  const waiting: (() => void)[] = [];
  const { port } = await harness.serve({
    findIdentities: () => new Promise((resolve) => waiting.push(() => resolve({ identities: [] }))),
  });
  const links = createTestLinks(port, 200);
  const pick = (differsFrom?: Stream) => () => {
    const stream = links.pick();
    return stream === differsFrom ? undefined : stream;
  };
  const first = await until(pick(), { withinMs: 10_000, what: 'a stream' });
  const { promise: answer, resolve, reject } = Promise.withResolvers<CarriedAnswer>();
  const request = {
    path: pathOf(IdentityService.method.findIdentities),
    bytes: encode(FindIdentitiesRequestSchema, {}),
    deadline: performance.now() + 60_000,
    signals: [],
    headers: {},
  };
  carry(first, request, (error, bytes) => (error === undefined ? resolve(bytes) : reject(error as Error)));
  const second = await until(pick(first), { withinMs: 10_000, what: 'another stream' });
  expect([first.phase, second.phase]).toEqual(['retired', 'open']);
  await until(() => waiting[0], { withinMs: 10_000, what: 'the call' });
  waiting.forEach((go) => go());
  expect(await answer).toBeDefined();
  await until(() => first.phase === 'ended' || undefined, {
    withinMs: 10_000,
    what: 'the end of the first stream',
  });
});
