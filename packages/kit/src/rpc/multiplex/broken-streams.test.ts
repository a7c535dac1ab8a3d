import type { Client, HandlerContext } from '@connectrpc/connect';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { until } from '@parley/testing';
import { createHarness, type Harness } from '../testing/harness.ts';
import { startCuttingProxy, type CuttingProxy, type Direction } from '../testing/cutting-proxy.ts';

let harness: Harness;
beforeEach(() => (harness = createHarness()));
afterEach(() => harness.close());

type IdentityClient = Client<typeof IdentityService>;

/** A handler that acts once per name, as services do per request id. */
function createActor() {
  const acted: string[] = [];
  /** How often each name has arrived. */
  const arrivals = new Map<string, number>();
  const byStream = new Set<string>();
  return {
    acted,
    arrivals,
    byStream,
    findIdentities({ userIds: [name = ''] }: { userIds: string[] }, { url }: HandlerContext) {
      if (!acted.includes(name)) acted.push(name);
      arrivals.set(name, (arrivals.get(name) ?? 0) + 1);
      if (new URL(url).host === 'multiplexed') byStream.add(name);
      return { identities: [{ userId: name }] };
    },
  };
}

type Actor = ReturnType<typeof createActor>;

async function send(client: IdentityClient, name: string): Promise<string | undefined> {
  return (await client.findIdentities({ userIds: [name] })).identities[0]?.userId;
}

/**
 * A client with a stream, and the number of bytes that the stream's connection carries for one more call with a name of the same length.
 */
async function openThrough(proxy: CuttingProxy, actor: Actor, name: string) {
  const options = { multiplexing: {} };
  const channel = harness.connect(`127.0.0.1:${proxy.port}`, options);
  const client = channel.client(IdentityService);
  let calls = 0;
  const nextName = () => `${name}-${(calls += 1)}`.padEnd(20);
  const isMultiplexed = async () => {
    const last = nextName();
    await send(client, last);
    return actor.byStream.has(last) || undefined;
  };
  await until(isMultiplexed, { withinMs: 10_000, what: 'a multiplexed call' });
  const before = proxy.connections.map(({ up, down }) => ({ up, down }));
  await isMultiplexed();
  const grown = proxy.connections.map(({ up, down }, index) => ({
    index,
    up: up - (before[index]?.up ?? 0),
    down: down - (before[index]?.down ?? 0),
  }));
  return {
    channel,
    client,
    nextName,
    stream: grown.find(({ up }) => up > 0) ?? { index: -1, up: 0, down: 0 },
  };
}

/**
 * Breaks the connection of a stream after a number of bytes of a call or of its answer, and makes another call afterwards. False when the
 * call has fewer bytes.
 */
async function breakAt(port: number, actor: Actor, cut: Cut): Promise<boolean> {
  const proxy = await startCuttingProxy(port);
  const opened = await openThrough(proxy, actor, `${cut.direction} ${cut.bytes}`);
  const isWithin = cut.bytes <= opened.stream[cut.direction];
  if (isWithin) await sendThroughCut(proxy, actor, opened, cut);
  opened.channel.close();
  await proxy.close();
  return isWithin;
}

type Opened = Awaited<ReturnType<typeof openThrough>>;

async function sendThroughCut(
  proxy: CuttingProxy,
  actor: Actor,
  { client, nextName, stream }: Opened,
  { direction, bytes }: Cut,
): Promise<void> {
  proxy.cut(stream.index, direction, bytes);
  const [broken, next] = [nextName(), nextName()];
  expect(await send(client, broken)).toBe(broken);
  expect(await send(client, next)).toBe(next);
  // It arrives again where the client has lost the answer.
  const isLost = bytes > 0 && (direction === 'down' ? bytes < stream.down : bytes === stream.up);
  expect({ direction, bytes, arrivals: actor.arrivals.get(broken) }).toEqual({
    direction,
    bytes,
    arrivals: isLost ? 2 : 1,
  });
  expect(actor.acted.indexOf(next)).toBeGreaterThan(actor.acted.indexOf(broken));
}

type Cut = { direction: Direction; bytes: number };

const AT_A_TIME = 8;

test.each<Direction>(['up', 'down'])(
  'a connection may break at every byte that goes %s: the call is answered, before the next one',
  async (direction) => {
    const actor = createActor();
    const { port } = await harness.serve({ findIdentities: actor.findIdentities });
    let bytes = 0;
    let isWithin = true;
    async function breakAll(): Promise<void> {
      while (isWithin) {
        const cut = { direction, bytes: bytes++ };
        if (!(await breakAt(port, actor, cut))) isWithin = false;
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, breakAll));
    expect(bytes).toBeGreaterThan(direction === 'up' ? 100 : 30);
  },
  60_000,
);

test('a call that a server acted on before it was killed is repeated at the next one, which knows it', async () => {
  const actor = createActor();
  const first = await harness.serve({
    findIdentities(request, ctx) {
      const answer = actor.findIdentities(request, ctx);
      if (request.userIds[0] !== 'fatal') return answer;
      void first.server.stop(0);
      return new Promise<never>(() => undefined);
    },
  });
  const proxy = await startCuttingProxy(first.port);
  const { client } = await openThrough(proxy, actor, 'warm-up');
  const answer = send(client, 'fatal');
  await until(() => actor.acted.includes('fatal') || undefined, { withinMs: 10_000, what: 'the act' });
  await until(() => harness.serve({ findIdentities: actor.findIdentities }, first.port), {
    withinMs: 10_000,
    what: 'another server',
  });
  expect(await answer).toBe('fatal');
  expect(actor.byStream.has('fatal')).toBe(true);
  expect(actor.arrivals.get('fatal')).toBe(2);
  expect(await send(client, 'next')).toBe('next');
  await proxy.close();
});
