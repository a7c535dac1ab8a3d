import { createConversation, createUsers, type Bench } from '../bench.ts';
import type { Subprotocol } from '../../support/socket.ts';
import { connectBench, type BenchSocket } from '../client.ts';
import { drive, type Figures } from '../stats.ts';
import { createChannel, driveDeliveries, type Channel } from './deliveries.ts';

type Shape = {
  name: string;
  users: number;
  outstanding: number;
  total: number;
  /** Form of the packets of all sockets; default: `svc-3.0`. */
  subprotocol?: Subprotocol;
};

const PAIRS: Shape[] = [
  { name: 'pairs-1x1', users: 1, outstanding: 1, total: 1_000 },
  { name: 'pairs-50x1', users: 50, outstanding: 1, total: 10_000 },
  { name: 'pairs-100x2', users: 100, outstanding: 2, total: 20_000 },
  { name: 'pairs-100x4', users: 100, outstanding: 4, total: 30_000 },
];
const GROUPS: Shape[] = [
  { name: 'group-100x1', users: 100, outstanding: 1, total: 1_000 },
  { name: 'group-100x16', users: 100, outstanding: 16, total: 4_000 },
  { name: 'group-1000x16', users: 1_000, outstanding: 16, total: 600 },
];
const CONNECTED_AT_ONCE = 20;

function lean(shape: Shape): Shape {
  return { ...shape, name: `lean-${shape.name}`, subprotocol: 'svc-4.0' };
}

type Scenarios = Record<string, (bench: Bench) => Promise<Figures[]>>;

/** Users who write to each other in pairs, each on a socket of their own: messages from send to recipient. */
export const pairs: Scenarios = Object.fromEntries(
  PAIRS.map((shape) => [shape.name, (bench: Bench) => measurePairs(bench, shape)]),
);

/** Pairs and groups with lean packets. docs/protocol/lean-packets.md */
export const leanCrowds: Scenarios = Object.fromEntries([
  ...PAIRS.map(lean).map((shape) => [shape.name, (bench: Bench) => measurePairs(bench, shape)]),
  ...GROUPS.map(lean).map((shape) => [shape.name, (bench: Bench) => measureGroup(bench, shape)]),
]) as Scenarios;

/** One conversation whose members are all connected: messages from send to the last member. */
export const crowds: Scenarios = Object.fromEntries(
  GROUPS.map((shape) => [shape.name, (bench: Bench) => measureGroup(bench, shape)]),
);

async function measurePairs(bench: Bench, shape: Shape): Promise<Figures[]> {
  const { users: count, outstanding } = shape;
  const sockets = await connectUsers(bench, 2 * count, shape.subprotocol);
  const channels: Channel[] = [];
  await drive(count, CONNECTED_AT_ONCE, async (index) => {
    const [sender, recipient] = sockets.slice(2 * index, 2 * index + 2);
    if (!sender || !recipient) throw new Error('no sockets');
    const conversation = await createConversation([sender.user, recipient.user]);
    channels[index] = createChannel(sender.socket, conversation, [recipient.socket]);
  });
  const name = `${count} ${count === 1 ? 'pair' : 'pairs'}, ${outstanding} outstanding each, to the recipient${formOf(shape)}`;
  const all = sockets.map(({ socket }) => socket);
  const figures = await run(bench, { name, shape, channels }, all);
  for (const { socket } of sockets) socket.close();
  return [{ ...figures, note: `${figures.bytes} bytes to both for a message` }];
}

async function measureGroup(bench: Bench, shape: Shape): Promise<Figures[]> {
  const { users: count, outstanding } = shape;
  const members = await connectUsers(bench, count, shape.subprotocol);
  const conversation = await createConversation(members.map(({ user }) => user));
  const sockets = members.map(({ socket }) => socket);
  const [sender] = sockets;
  if (!sender) throw new Error('no sockets');
  // A lean socket does not get what it sends.
  const recipients = shape.subprotocol === 'svc-4.0' ? sockets.slice(1) : sockets;
  const channels = [createChannel(sender, conversation, recipients)];
  const name = `group of ${count}, ${outstanding} outstanding, to the last member${formOf(shape)}`;
  const figures = await run(bench, { name, shape, channels }, sockets);
  for (const socket of sockets) socket.close();
  const deliveries = Math.round((figures.count * count) / figures.seconds);
  const bytes = Math.round(figures.bytes / count);
  return [{ ...figures, note: `${deliveries.toLocaleString('en')} deliveries/s of ${bytes} bytes` }];
}

async function run(
  bench: Bench,
  { name, shape, channels }: { name: string; shape: Shape; channels: Channel[] },
  sockets: readonly BenchSocket[],
): Promise<Figures & { bytes: number }> {
  const { outstanding } = shape;
  const total = Math.max(1, Math.round(shape.total * bench.scale));
  await driveDeliveries(channels, { total: Math.ceil(total / 10), outstanding });
  const received = () => sockets.reduce((sum, socket) => sum + socket.bytes(), 0);
  const before = received();
  const figures = await bench.measure(name, total, () => driveDeliveries(channels, { total, outstanding }));
  return { ...figures, bytes: Math.round((received() - before) / total) };
}

function formOf({ subprotocol }: Shape): string {
  return subprotocol === 'svc-4.0' ? ', lean' : '';
}

type Connected = { user: Awaited<ReturnType<typeof createUsers>>[number]; socket: BenchSocket };

async function connectUsers(
  bench: Bench,
  count: number,
  subprotocol: Subprotocol | undefined,
): Promise<Connected[]> {
  const users = await createUsers(bench, 'member', count);
  const connected: Connected[] = [];
  await drive(count, CONNECTED_AT_ONCE, async (index) => {
    const user = users[index]!;
    connected[index] = { user, socket: await connectBench(bench.app.baseUrl, user.token, subprotocol) };
  });
  return connected;
}
