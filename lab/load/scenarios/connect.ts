import type { Subprotocol } from '../../../test/support/socket.ts';
import { createConversation, createUsers, type Bench } from '../bench.ts';
import { connectBench, type BenchSocket } from '../client.ts';
import { drive } from '../stats.ts';
import { createChannel, type Channel, type Crowd } from './deliveries.ts';
import type { Shape } from './shapes.ts';

const CONNECTED_AT_ONCE = 20;

/** Connects the users of each pair, with a conversation of theirs in which the first one sends to the second. */
export async function connectPairs(bench: Bench, { users: count, subprotocol }: Shape): Promise<Crowd> {
  const connected = await connectUsers(bench, 2 * count, subprotocol);
  const channels: Channel[] = [];
  await drive(count, CONNECTED_AT_ONCE, async (index) => {
    const [sender, recipient] = connected.slice(2 * index, 2 * index + 2);
    if (!sender || !recipient) throw new Error('no sockets');
    const conversation = await createConversation([sender.user, recipient.user]);
    channels[index] = createChannel(sender.socket, conversation, [recipient.socket]);
  });
  return crowdOf(
    channels,
    connected.map(({ socket }) => socket),
  );
}

/** Connects the members of one conversation in which the first one sends. */
export async function connectGroup(bench: Bench, { users: count, subprotocol }: Shape): Promise<Crowd> {
  const members = await connectUsers(bench, count, subprotocol);
  const conversation = await createConversation(members.map(({ user }) => user));
  const sockets = members.map(({ socket }) => socket);
  const [sender] = sockets;
  if (!sender) throw new Error('no sockets');
  // A lean socket does not get what it sends.
  const recipients = subprotocol === 'svc-4.0' ? sockets.slice(1) : sockets;
  return crowdOf([createChannel(sender, conversation, recipients)], sockets);
}

function crowdOf(channels: readonly Channel[], sockets: readonly BenchSocket[]): Crowd {
  return {
    channels,
    bytes: () => sockets.reduce((sum, socket) => sum + socket.bytes(), 0),
    close() {
      for (const socket of sockets) socket.close();
    },
  };
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
