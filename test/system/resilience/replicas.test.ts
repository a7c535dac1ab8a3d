import { randomUUID } from 'node:crypto';
import { createApp, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { createFailover, type Failover } from '../../support/failover.ts';
import { KINDS, startFleet, type Fleet } from '../../support/fleet.ts';
import { call } from '../../support/http.ts';
import { startListener } from '../../support/listener.ts';
import { startLoad, type Load } from '../../support/load.ts';
import { untilRefused } from '../../support/refused.ts';
import { until } from '../../support/until.ts';

let fleet: Fleet;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let client: Failover;

beforeAll(async () => {
  fleet = await startFleet();
  await openApp();
}, 120_000);

afterAll(() => fleet?.stop(), 60_000);

beforeEach(() => {
  client = createFailover(fleet.addresses);
});

async function openApp(): Promise<void> {
  app = await createApp(fleet.platform);
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
}

/** Resolves when nearly all messages are in the figures of the application; there are never more. */
async function expectCounted({ taken }: Load): Promise<void> {
  const sent = [...taken.values()].flat().length;
  const span = { from: Date.now() - 3_600_000, step_in_seconds: 86_400 };
  const messages = await until(
    `about ${sent} messages are counted`,
    async () => {
      const { figures } = await app.admin('GetFigures', { app_uuid: app.appUuid, ...span });
      const sum = (figures as { messages?: number }[]).reduce((all, step) => all + (step.messages ?? 0), 0);
      return sum >= 0.99 * sent ? sum : undefined;
    },
    30_000,
  );
  expect(messages).toBeLessThanOrEqual(sent);
}

function createPairs(count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const body = { participants: ['bob'], distinct: false };
      const { id } = (await ada.call('POST', '/conversations', 201, { body })).body;
      return { conversation: uuidOf(id), sender: ada, reader: bob };
    }),
  );
}

/** Ids of all messages of a conversation, oldest first, as one gateway lists them. */
async function readHistory(address: string, conversation: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const from = ids.length > 0 ? `&from_id=${ids.at(-1)}` : '';
    const { body } = await call(
      'GET',
      `${address}/conversations/${conversation}/messages?page_size=100${from}`,
      200,
      {
        headers: { authorization: `Svc session-token="${bob.token}"` },
      },
    );
    const page = (body as { id: string }[]).map(({ id }) => uuidOf(id));
    ids.push(...page);
    if (page.length < 100) return ids.reverse();
  }
}

/** Every acknowledged message is stored once, in order, and shown by every gateway. */
async function expectNothingLost({ taken, failures }: Load, atLeast: number): Promise<void> {
  expect(failures).toEqual([]);
  for (const [conversation, ids] of taken) {
    expect(ids.length).toBeGreaterThan(atLeast);
    for (const address of fleet.addresses) expect(await readHistory(address, conversation)).toEqual(ids);
  }
}

function expectAllHeard(heard: { messages: ReadonlySet<string> }, load: Load): Promise<unknown> {
  return until('the socket heard of every message', () => {
    const missing = [...load.taken.values()]
      .flat()
      .filter((id) => !heard.messages.has(`svc:///messages/${id}`));
    return missing.length === 0 || undefined;
  });
}

test('two gateways and two replicas of every service run', () => {
  expect(fleet.addresses).toHaveLength(2);
  const twice = fleet.names.filter((name) => name.endsWith('-2')).map((name) => name.slice(0, -2));
  expect(twice.sort()).toEqual([...KINDS].sort());
  expect(fleet.names).toHaveLength(2 * twice.length);
});

test('a message accepted by one gateway reaches the sockets of both once', async () => {
  const [pair] = await createPairs(1);
  const sockets = await Promise.all(fleet.addresses.map((baseUrl) => bob.connect({ baseUrl })));
  const load = startLoad([pair!], client);
  await until('some are sent', () => (load.taken.get(pair!.conversation)?.length ?? 0) >= 40 || undefined);
  await load.stop();
  const ids = load.taken.get(pair!.conversation)!.map((id) => `svc:///messages/${id}`);
  for (const socket of sockets) {
    await socket.waitFor('the last message', ({ body }) => body?.object?.id === ids.at(-1));
    const created = socket.changes('Message').filter(({ operation }) => operation === 'create');
    expect(created.map(({ object }) => object.id)).toEqual(ids);
    await socket.close();
  }
});

test('the messages and receipts of a conversation go to one replica of messaging, which stores them from its cache', async () => {
  const [pair] = await createPairs(1);
  const sockets = await Promise.all(fleet.addresses.map((baseUrl) => bob.connect({ baseUrl })));
  const path = `/conversations/${pair!.conversation}/messages`;
  const body = { parts: [{ mime_type: 'text/plain', body: 'hello' }] };
  const rounds = 20;
  const before = await cachedBatches();
  for (let round = 0; round < rounds; round += 1) {
    const [address, other] = [fleet.addresses[round % 2]!, fleet.addresses[(round + 1) % 2]!];
    const { body: message } = await ada.call('POST', `${address}${path}`, 201, { body });
    const { id } = message;
    await sockets[round % 2]!.waitFor('the message', ({ body: change }) => change?.object?.id === id);
    await bob.call('POST', `${address}/messages/${uuidOf(id)}/receipts`, 204, { body: { type: 'read' } });
    await bob.call('POST', `${other}${path}`, 201, { body });
  }
  const after = await cachedBatches();
  // The first message of each sender is read from the database.
  expect(after.stored - before.stored).toBeGreaterThanOrEqual(2 * rounds - 4);
  expect(after.stale - before.stale).toBeLessThanOrEqual(2);
  await Promise.all(sockets.map((socket) => socket.close()));
});

/** Attempts of all replicas of messaging to store messages from the cache, by outcome. */
async function cachedBatches(): Promise<{ stored: number; stale: number }> {
  const names = fleet.names.filter((name) => name.startsWith('messaging'));
  const texts = await Promise.all(names.map(async (name) => (await fetch(fleet.metricsUrlOf(name))).text()));
  const sumOf = (outcome: string) =>
    texts
      .flatMap((text) => [...text.matchAll(/^cached_batches_total\{(.*)\} (\d+)$/gm)])
      .filter(([, labels]) => labels!.includes(`outcome="${outcome}"`))
      .reduce((sum, [, , count]) => sum + Number(count), 0);
  return { stored: sumOf('stored'), stale: sumOf('stale') };
}

test('the same id at both gateways at once is one message', async () => {
  const [pair] = await createPairs(1);
  const body = { id: randomUUID(), parts: [{ mime_type: 'text/plain', body: 'once' }] };
  const answers = await Promise.all(
    [...fleet.addresses, ...fleet.addresses].map((address) =>
      call('POST', `${address}/conversations/${pair!.conversation}/messages`, 201, {
        headers: { authorization: `Svc session-token="${ada.token}"` },
        body,
      }).catch((error: unknown) => error as { status: number }),
    ),
  );
  expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual(
    [],
  );
  expect(await readHistory(fleet.addresses[0]!, pair!.conversation)).toEqual([body.id]);
});

test('a session that ends at one gateway ends at the other within a second', async () => {
  const cem = await app.login('cem');
  const socket = await cem.connect({ baseUrl: fleet.addresses[1] });
  const list = (status: number) => cem.call('GET', `${fleet.addresses[1]}/conversations`, status);
  await list(200);
  await cem.call('DELETE', `${fleet.addresses[0]}/sessions/${cem.token}`, 204);
  await untilRefused(list, 401, { withinMs: 1000 });
  expect((await socket.untilClosed(2_000)).code).toBe(4401);
});

test('one replica of each service is killed, and no message is lost', async () => {
  const pairs = await createPairs(4);
  const heard = await startListener(fleet.addresses, bob.token);
  const load = startLoad(pairs, client);
  for (const name of fleet.names.filter((one) => one.endsWith('-2'))) await fleet.replace(name, 'SIGKILL');
  await load.stop();
  await expectNothingLost(load, 20);
  await expectAllHeard(heard, load);
  await heard.stop();
}, 120_000);

test('all replicas are restarted one after the other without an error for a client', async () => {
  await openApp();
  const pairs = await createPairs(4);
  const heard = await startListener(fleet.addresses, bob.token);
  const load = startLoad(pairs, client);
  // Every kind on its own, as Deployments roll; of each kind one after the other.
  const [first, second] = [
    fleet.names.filter((name) => !name.endsWith('-2')),
    fleet.names.filter((name) => name.endsWith('-2')),
  ];
  for (const names of [first, second]) await Promise.all(names.map((name) => fleet.replace(name, 'SIGTERM')));
  await load.stop();
  await expectNothingLost(load, 20);
  await expectAllHeard(heard, load);
  expect(heard.closes).not.toEqual([]);
  expect(new Set(heard.closes)).toEqual(new Set([1012]));
  await expectCounted(load);
  await heard.stop();
}, 120_000);
