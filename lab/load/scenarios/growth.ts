import { createConversation, createConversations, createUsers, type Bench } from '../bench.ts';
import { connectBench, type BenchSocket } from '../client.ts';
import { copyConversation, copyMessages } from '../database.ts';
import { drive, type Figures } from '../stats.ts';
import { sumOfPlatform } from '../usage.ts';

/** Processor time of a send at the largest size, compared with that at the smallest. */
const AIM = 1.2;
const ROUNDS = 3;
const IN_FLIGHT = 50;
const CONVERSATIONS = 50;
const SENDS = 5_000;
/** The largest sizes, at scale 1. */
const MESSAGES = 10_000_000;
const STORED_CONVERSATIONS = 100_000;
const MEMBERS = 2_000;
const SOCKETS = 20_000;
/** Sockets that a client with the usual limit of open files can hold. */
const OPEN_AT_MOST = 18_000;

const DATA = JSON.stringify({
  parts: [{ mime_type: 'text/plain', body: 'The quick brown fox jumps over the lazy dog.' }],
});

/**
 * Measures the cost of a send when much is stored or connected. The scale shortens the sizes, too: compare runs of the same scale
 * only.
 */
export const growth: Record<string, (bench: Bench) => Promise<Figures[]>> = {
  'growth-messages': byMessages,
  'growth-conversations': byConversations,
  'growth-members': byMembers,
  'growth-sockets': bySockets,
};

async function byMessages(bench: Bench): Promise<Figures[]> {
  const { users, socket, conversations } = await prepare(bench);
  const smallest = await measureSends(bench, 'sends, no message stored before', socket, conversations);
  const total = sizeOf(bench, MESSAGES, 100_000);
  const full = await createConversations(users, CONVERSATIONS);
  await drive(CONVERSATIONS, 1, (index) => send(socket, full[index]));
  await copyMessages(bench, full, total / CONVERSATIONS);
  const name = `sends, ${total.toLocaleString('en')} messages stored before`;
  const largest = await measureSends(bench, name, socket, full);
  socket.close();
  return compare(smallest, largest);
}

async function byConversations(bench: Bench): Promise<Figures[]> {
  const { users, socket, conversations } = await prepare(bench);
  const smallest = await measureSends(bench, `sends, ${CONVERSATIONS} conversations`, socket, conversations);
  const [template = ''] = await createConversations(users, 1);
  const total = sizeOf(bench, STORED_CONVERSATIONS, 1_000);
  const copies = await copyConversation(bench, template, total);
  const name = `sends, ${total.toLocaleString('en')} conversations`;
  const largest = await measureSends(bench, `${name} stored`, socket, conversations);
  // The first message of a conversation also loads its participants into the gateway.
  const spread = await measureSends(bench, `${name}, each message to another one`, socket, copies);
  socket.close();
  return [
    ...compare(smallest, largest),
    { ...spread, note: `${ratio(smallest, spread)} times the smallest` },
  ];
}

async function byMembers(bench: Bench): Promise<Figures[]> {
  const members = await createUsers(bench, 'member', sizeOf(bench, MEMBERS, 50));
  const [ada, bob] = members;
  const sockets = await Promise.all(
    [ada, bob].map((user) => connectBench(bench.app.baseUrl, user?.token ?? '')),
  );
  const [small, large] = [await createConversation(members.slice(0, 2)), await createConversation(members)];
  const smallest = await measureSends(bench, 'sends to 2 members', sockets[0]!, [small]);
  const name = `sends to ${members.length.toLocaleString('en')} members, 2 connected`;
  const largest = await measureSends(bench, name, sockets[0]!, [large]);
  for (const socket of sockets) socket.close();
  return compare(smallest, largest);
}

async function bySockets(bench: Bench): Promise<Figures[]> {
  const { socket, conversations } = await prepare(bench);
  const smallest = await measureSends(bench, 'sends, 2 sockets', socket, conversations);
  const total = Math.min(OPEN_AT_MOST, sizeOf(bench, SOCKETS, 100));
  const idle = await createUsers(bench, 'idle', 100);
  const sockets: BenchSocket[] = [];
  await drive(total, 50, async (index) => {
    sockets.push(await connectBench(bench.app.baseUrl, idle[index % idle.length]?.token ?? ''));
  });
  const name = `sends, ${total.toLocaleString('en')} idle sockets`;
  const largest = await measureSends(bench, name, socket, conversations);
  for (const one of [...sockets, socket]) one.close();
  return compare(smallest, largest);
}

function sizeOf({ scale }: Bench, largest: number, least: number): number {
  return Math.max(least, Math.round(largest * Math.min(1, scale)));
}

/** Conversations of two users who are both connected. */
async function prepare(bench: Bench) {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const conversations = await createConversations(users, CONVERSATIONS);
  const [socket] = await Promise.all(users.map(({ token }) => connectBench(bench.app.baseUrl, token)));
  if (!socket) throw new Error('no socket');
  return { users, conversations, socket };
}

function send(socket: BenchSocket, conversation = ''): Promise<string> {
  return socket.request('Message.create', `svc:///conversations/${conversation}`, DATA);
}

/** The round with the median of processor time. */
async function measureSends(
  bench: Bench,
  name: string,
  socket: BenchSocket,
  conversations: readonly string[],
): Promise<Figures> {
  const total = Math.max(500, Math.round(SENDS * bench.scale));
  let next = 0;
  const call = () => send(socket, conversations[next++ % conversations.length]);
  await drive(total, IN_FLIGHT, call);
  const rounds: Figures[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await bench.measure(name, total, () => drive(total, IN_FLIGHT, call)));
  const [median] = rounds.sort((a, b) => sumOfPlatform(a.cpu) - sumOfPlatform(b.cpu)).slice(ROUNDS / 2);
  if (!median) throw new Error('no rounds');
  return median;
}

function ratio(smallest: Figures, largest: Figures): string {
  return (sumOfPlatform(largest.cpu) / sumOfPlatform(smallest.cpu)).toFixed(2);
}

function compare(smallest: Figures, largest: Figures): Figures[] {
  const note = `processor time ${ratio(smallest, largest)} times the smallest (aim ${AIM})`;
  return [smallest, { ...largest, note }];
}
