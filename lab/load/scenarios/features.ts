import { randomUUID } from 'node:crypto';
import type { TestUser } from '../../../test/support/app.ts';
import { uuidOf } from '../../../test/support/app.ts';
import { createUsers, type Bench } from '../bench.ts';
import { connectBench, type BenchSocket } from '../client.ts';
import { drive, median, type Figures } from '../stats.ts';

const PARTS = [{ mime_type: 'text/plain', body: 'The quick brown fox jumps over the lazy dog.' }];
const PLAIN = JSON.stringify({ parts: PARTS });
const WITH_METADATA = JSON.stringify({ parts: PARTS, metadata: { order: { state: 'paid', items: 3 } } });
const IN_FLIGHT = 50;
const ROUNDS = 5;
const STORM = 1_000;

/** Every rule of a type that leaves members what they may do by default, so that each send has all of them to check. */
const FULL_TYPE = {
  actions: { freeze: ['owner'], restrict: ['owner', 'moderator'], delete_any: ['owner', 'moderator'] },
  features: { typing: true, receipts: true, reactions: true, threads: true, search: true, push: true },
  ...{ creator_role: 'owner', newcomer_history: 'none', max_participants: 100 },
  ...{ edit_window_in_seconds: 3_600, delete_window_in_seconds: 3_600 },
};

type Pair = { sender: BenchSocket; reader: BenchSocket; users: TestUser[] };

async function connectPair(bench: Bench): Promise<Pair> {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const [sender, reader] = await Promise.all(
    users.map(({ token }) => connectBench(bench.app.baseUrl, token)),
  );
  if (!sender || !reader) throw new Error('no sockets');
  return { sender, reader, users };
}

async function createTyped({ app }: Bench, users: readonly TestUser[], type?: string): Promise<string[]> {
  const ids: string[] = [];
  await drive(IN_FLIGHT, 8, async () => {
    const participants = users.map(({ id }) => id);
    const body = { participants, distinct: false, ...(type !== undefined && { type }) };
    const made = await app.server('POST', '/conversations', 201, { body });
    ids.push(`svc:///conversations/${uuidOf(made.body.id)}`);
  });
  return ids;
}

/** Sends one load in conversations without a type, of a type with every rule, and with metadata, in turn. */
export async function types(bench: Bench): Promise<Figures[]> {
  const { sender, reader, users } = await connectPair(bench);
  await bench.app.server('PUT', '/types/full', 200, { body: FULL_TYPE });
  const plain = await createTyped(bench, users);
  const full = await createTyped(bench, users, 'full');
  const variants = [
    { name: 'sends, type default', conversations: plain, body: PLAIN },
    { name: 'sends, a type with all rules', conversations: full, body: PLAIN },
    { name: 'sends with metadata', conversations: plain, body: WITH_METADATA },
  ];
  const total = 4_000 * bench.scale;
  const send = ({ conversations, body }: (typeof variants)[number]) =>
    drive(total, IN_FLIGHT, (index) =>
      sender.request('Message.create', conversations[index % IN_FLIGHT] ?? '', body),
    );
  for (const variant of variants) await send(variant);
  const rounds = new Map<string, Figures[]>(variants.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const variant of variants)
      rounds.get(variant.name)?.push(await bench.measure(variant.name, total, () => send(variant)));
  sender.close();
  reader.close();
  return [...rounds.values()].map(middle);
}

/** The round of the median rate, with the lowest and the highest rate. */
function middle(rounds: readonly Figures[]): Figures {
  const rateOf = ({ count, seconds }: Figures) => count / seconds;
  const rates = rounds.map(rateOf);
  const found = rounds.find((round) => rateOf(round) === median(rates)) ?? rounds[0];
  if (!found) throw new Error('no rounds');
  const [low, high] = [Math.min(...rates), Math.max(...rates)].map(Math.round);
  return { ...found, note: `median of ${rounds.length} rounds, ${low} to ${high} a second` };
}

/** Reactions to one message, and to many; then 1,000 users who react to one message at once. */
export async function reactions(bench: Bench): Promise<Figures[]> {
  const { sender, reader, users } = await connectPair(bench);
  const conversations = await createTyped(bench, users);
  const messages: string[] = [];
  const total = 4_000 * bench.scale;
  await drive(total, IN_FLIGHT, async (index) => {
    const sent = await sender.request('Message.create', conversations[index % IN_FLIGHT] ?? '', PLAIN);
    messages.push(/svc:\/\/\/messages\/[0-9a-f-]{36}/.exec(sent)?.[0] ?? '');
  });
  const react = (message: string, method: string) => reader.request(method, message, '{"key":"👍"}');
  const many = await bench.measure('reactions, each to another message', total, () =>
    drive(total, IN_FLIGHT, (index) => react(messages[index] ?? '', 'Reaction.create')),
  );
  const one = await bench.measure('reactions given and taken back, one message', total, () =>
    drive(total, 1, (index) =>
      react(messages[0] ?? '', index % 2 === 0 ? 'Reaction.delete' : 'Reaction.create'),
    ),
  );
  sender.close();
  reader.close();
  return [many, one, await storm(bench)];
}

/** Each of 1,000 participants reacts to one message with one key, all within a second, while one of them listens. */
async function storm(bench: Bench): Promise<Figures> {
  const count = Math.max(10, Math.round(STORM * bench.scale));
  const users = await createUsers(bench, `storm-${randomUUID().slice(0, 8)}`, count);
  const body = { participants: users.map(({ id }) => id), distinct: false };
  const { id } = (await bench.app.server('POST', '/conversations', 201, { body })).body;
  const sockets = await Promise.all(users.map(({ token }) => connectBench(bench.app.baseUrl, token)));
  const sent = await sockets[0]?.request('Message.create', id, PLAIN);
  const message = /svc:\/\/\/messages\/[0-9a-f-]{36}/.exec(sent ?? '')?.[0] ?? '';
  let packets = 0;
  const last = new Promise<void>((resolve) => {
    sockets[0]?.onPacket((text) => {
      if (!text.includes('"reactions.')) return;
      packets += 1;
      if (text.includes(`.count","value":${count}`)) resolve();
    });
  });
  const figures = await bench.measure(`a storm of ${count} reactions to one message`, count, async () => {
    const times = await drive(count, count, (index) =>
      (sockets[index] as BenchSocket).request('Reaction.create', message, '{"key":"👍"}'),
    );
    await last;
    return times;
  });
  for (const socket of sockets) socket.close();
  return { ...figures, note: `${packets} packets with counts for a participant` };
}
