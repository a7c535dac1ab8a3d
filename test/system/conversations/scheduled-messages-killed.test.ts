import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import type { Packet, TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

let own: OwnPlatform;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  own = await ownPlatform({ durable: true });
  app = await createApp(own);
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
}, 60_000);

afterAll(() => own?.stop(), 40_000);

const COUNT = 20;
/** The delay of each message. Seconds. */
const delays = Array.from({ length: COUNT }, (_, n) => 2.5 + n * 0.25);

async function schedule(path: string): Promise<string[]> {
  const ids = delays.map(() => randomUUID());
  const bodies = delays.map((delay_in_seconds, n) => ({
    ...{ id: ids[n], sender_id: ada.uri, parts: [textPart(`${n}`)] },
    schedule: { delay_in_seconds, typing_indicator_in_seconds: 1.5 },
  }));
  await Promise.all(bodies.map((body) => app.server('POST', `${path}/messages`, 202, { body })));
  return ids;
}

function idOf({ type, body }: Packet): string | undefined {
  return type === 'change' && body.operation === 'create' && body.object.type === 'Message'
    ? uuidOf(body.object.id)
    : undefined;
}

/** The `ids` that arrived, each once: messages in flight during a kill may arrive twice. */
function heardBy({ packets }: TestSocket, ids: readonly string[]): Set<string> {
  return new Set(packets.flatMap((packet) => idOf(packet) ?? []).filter((id) => ids.includes(id)));
}

function untilHeard(socket: TestSocket, ids: readonly string[], count: number) {
  return until(`${count} messages arrive`, () => heardBy(socket, ids).size >= count || undefined, 30_000);
}

function lastTyping({ packets }: TestSocket): string | undefined {
  return packets.findLast(({ type }) => type === 'signal')?.body.data.action;
}

/** The conversation's messages; undefined while a process that the request needs is down. */
function listed(path: string): Promise<Json[] | undefined> {
  return bob.call('GET', `${path}/messages`, 200).then(
    ({ body }) => body as Json[],
    () => undefined,
  );
}

test.each(['messaging', 'postgres', 'nats'])(
  'whenever %s is killed, each scheduled message is sent once, and its sender stops typing',
  async (victim) => {
    const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: [bob.uri] } });
    const path = `/conversations/${uuidOf(body.id)}`;
    const socket = await bob.connect();
    const ids = await schedule(path);
    // While all messages wait, when the first is sent, and halfway through the others.
    await own.killAndAwait(victim);
    await untilHeard(socket, ids, 1);
    await own.killAndAwait(victim);
    await untilHeard(socket, ids, Math.ceil((heardBy(socket, ids).size + COUNT) / 2));
    await own.killAndAwait(victim);
    await untilHeard(socket, ids, COUNT);

    const found = await until('the messages are listed', () => listed(path), 30_000);
    expect(found.map(({ id }) => uuidOf(id)).sort()).toEqual(ids.toSorted());
    expect(found.map(({ position }) => position as number)).toEqual(delays.map((_, n) => COUNT - n));
    const counted = await until('the conversation is shown', () =>
      bob.call('GET', path, 200).catch(() => undefined),
    );
    expect(counted.body).toMatchObject({ unread_message_count: COUNT, total_message_count: COUNT });
    expect(heardBy(socket, ids)).toEqual(new Set(ids));
    expect((await app.server('GET', `${path}/scheduled_messages`, 200)).body).toEqual([]);
    await until('typing is stepped down', () => lastTyping(socket) !== 'started' || undefined, 30_000);
    await socket.close();
  },
  120_000,
);
