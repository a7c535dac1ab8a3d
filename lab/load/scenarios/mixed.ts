import type { TestUser } from '../../../test/support/app.ts';
import { createConversation, createUsers, type Bench } from '../bench.ts';
import { connectBench, createRest, type BenchSocket } from '../client.ts';
import { drive, drivePaced, quantile, type Figures } from '../stats.ts';

/** The 99th percentile at half of the full rate, in milliseconds. */
const AIM_MS = 15;
const USERS = 100;
const CONVERSATIONS = 1_000;
const IN_FLIGHT = 200;
const FULL_RATE_CALLS = 20_000;
const HALF_RATE_SECONDS = 15;

type Kind = 'send' | 'receipt' | 'typing' | 'history' | 'join';

/** Kinds of calls: 40 of 50 are sends. */
const KINDS: readonly Kind[] = [
  ...Array<Kind>(40).fill('send'),
  ...Array<Kind>(5).fill('receipt'),
  ...Array<Kind>(2).fill('typing'),
  ...Array<Kind>(2).fill('history'),
  'join',
];
const DATA = JSON.stringify({
  parts: [{ mime_type: 'text/plain', body: 'The quick brown fox jumps over the lazy dog.' }],
});
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;
const MESSAGE_ID = /svc:\/\/\/messages\/[0-9a-f-]{36}/;

type Member = { user: TestUser; socket: BenchSocket };
type Conversation = { id: string; members: [Member, Member]; latest: string; joined: number };
type World = {
  members: readonly Member[];
  conversations: readonly Conversation[];
  rest: ReturnType<typeof createRest>;
};

/**
 * Sends, read receipts, typing, reads of history and joins over many conversations: first as fast as the platform
 * answers, then at half of that rate, with the calls at fixed times and their latency from those times on.
 */
export async function mixed(bench: Bench): Promise<Figures[]> {
  const world = await createWorld(bench);
  const calls = Math.max(500, Math.round(FULL_RATE_CALLS * bench.scale));
  await drive(Math.ceil(calls / 10), IN_FLIGHT, (index) => call(world, index));
  const full = await bench.measure('mixed load, full rate', calls, () =>
    drive(calls, IN_FLIGHT, (index) => call(world, calls + index)),
  );
  const rate = calls / full.seconds / 2;
  const paced = Math.round(rate * Math.max(2, HALF_RATE_SECONDS * bench.scale));
  const times = new Map<Kind, number[]>();
  const half = await bench.measure('mixed load, half of the full rate', paced, () =>
    drivePaced(
      { total: paced, rate },
      {
        call: (index) => call(world, 2 * calls + index),
        note: (index, ms) => noteTime(times, kindOf(2 * calls + index), ms),
      },
    ),
  );
  for (const { socket } of world.members) socket.close();
  return [full, { ...half, isDetailed: true, note: `${Math.round(rate)} calls/s; ${describe(times)}` }];
}

function kindOf(index: number): Kind {
  return KINDS[(index * 37) % KINDS.length] ?? 'send';
}

function noteTime(times: Map<Kind, number[]>, kind: Kind, ms: number): void {
  const known = times.get(kind);
  if (known) known.push(ms);
  else times.set(kind, [ms]);
}

function describe(times: ReadonlyMap<Kind, number[]>): string {
  const p99s = [...times].map(([kind, of]) => {
    const p99 = quantile(
      of.sort((a, b) => a - b),
      0.99,
    );
    return `${kind} ${p99.toFixed(1)}`;
  });
  return `p99 ms by kind: ${p99s.join(', ')} (aim ${AIM_MS})`;
}

async function createWorld(bench: Bench): Promise<World> {
  const users = await createUsers(bench, 'user', USERS);
  const members: Member[] = [];
  await drive(USERS, 10, async (index) => {
    const user = users[index]!;
    members[index] = { user, socket: await connectBench(bench.app.baseUrl, user.token) };
  });
  const count = Math.max(50, Math.round(CONVERSATIONS * Math.min(1, bench.scale)));
  const conversations: Conversation[] = [];
  await drive(count, 10, async (index) => {
    const pair: [Member, Member] = [members[index % USERS]!, members[(index + 1) % USERS]!];
    const id = await createConversation(pair.map(({ user }) => user));
    conversations[index] = { id, members: pair, latest: '', joined: 2 };
  });
  return { members, conversations, rest: createRest(bench.app.baseUrl, IN_FLIGHT) };
}

async function call(world: World, index: number): Promise<unknown> {
  const { conversations, rest } = world;
  // Multiples of the golden ratio are spread evenly, and so is every fiftieth of them, which is one kind of call.
  const conversation = conversations[Math.floor(((index * GOLDEN_RATIO) % 1) * conversations.length)]!;
  const [sender, reader] = conversation.members;
  const object = `svc:///conversations/${conversation.id}`;
  const kind = kindOf(index);
  if (kind === 'receipt' && conversation.latest)
    return reader.socket.request('Receipt.create', conversation.latest, '{"type":"read"}');
  if (kind === 'typing') return signalTyping(sender, object);
  if (kind === 'history')
    return rest(
      'GET',
      `/conversations/${conversation.id}/messages?page_size=20`,
      `Svc session-token="${reader.user.token}"`,
    );
  if (kind === 'join') return join(world, conversation);
  const sent = await sender.socket.request('Message.create', object, DATA);
  conversation.latest = MESSAGE_ID.exec(sent)?.[0] ?? '';
  return sent;
}

// A signal has no answer: its time is that of handing it over.
function signalTyping({ socket }: Member, object: string): Promise<void> {
  socket.signal(`{"type":"typing_indicator","object":{"id":"${object}"},"data":{"action":"started"}}`);
  return Promise.resolve();
}

/** Adds a user who was not a participant yet, as long as there is one. */
function join({ members, conversations }: World, conversation: Conversation): Promise<string> {
  const [owner] = conversation.members;
  const first = conversations.indexOf(conversation);
  const added = members[(first + conversation.joined++) % members.length]!;
  const patch = JSON.stringify([{ operation: 'add', property: 'participants', id: added.user.id }]);
  return owner.socket.request('Conversation.update', `svc:///conversations/${conversation.id}`, patch);
}
