import type { Bench } from '../bench.ts';
import { createConversations } from '../bench.ts';
import { connectBench, createRest } from '../client.ts';
import { drive, type Figures } from '../stats.ts';

const inFlight = 50;
const body = JSON.stringify({
  parts: [{ mime_type: 'text/plain', body: 'The quick brown fox jumps over the lazy dog.' }],
});

/** Messages by REST, 50 and 64 in flight, over as many conversations of two. */
export async function restSends(bench: Bench): Promise<Figures[]> {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const conversations = await createConversations(users, 64);
  const authorization = `Svc session-token="${users[0]?.token}"`;
  const rows: Figures[] = [];
  for (const connections of [50, 64]) {
    const send = createRest(bench.app.baseUrl, connections);
    const call = (index: number) =>
      send('POST', `/conversations/${conversations[index % connections]}/messages`, authorization, body);
    await drive(1000 * bench.scale, connections, call);
    const total = 10_000 * bench.scale;
    const name = `REST sends, ${connections} in flight`;
    rows.push(await bench.measure(name, total, () => drive(total, connections, call)));
  }
  return rows;
}

/** Messages by WebSocket on 10 sockets, 50 and 200 in flight; every participant of every conversation is connected. */
export const socketSends = async (bench: Bench): Promise<Figures[]> => {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const conversations = await createConversations(users, inFlight);
  const sockets = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      connectBench(bench.app.baseUrl, users[index === 9 ? 1 : 0]?.token ?? ''),
    ),
  );
  const senders = sockets.slice(0, 1);
  const call = (index: number) =>
    senders[index % senders.length]!.request(
      'Message.create',
      `svc:///conversations/${conversations[index % inFlight]}`,
      body,
    );
  for (const socket of sockets.slice(1, 9)) socket.close();
  await drive(2000 * bench.scale, inFlight, call);
  const total = 20_000 * bench.scale;
  const figures = [
    await bench.measure(
      'WebSocket sends, 50 in flight',
      total,
      () => drive(total, inFlight, call),
      'both participants connected',
    ),
    await bench.measure(
      'WebSocket sends, 200 in flight',
      total,
      () => drive(total, 200, call),
      'both participants connected',
    ),
  ];
  sockets.forEach((socket) => socket.close());
  return figures;
};

/** Measures the time from a send to the packet on the other user's socket, at a rate far below the limit. */
export const deliveryLatency = async (bench: Bench): Promise<Figures[]> => {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const [conversation] = await createConversations(users, 1);
  const [ada, bob] = await Promise.all(users.map(({ token }) => connectBench(bench.app.baseUrl, token)));
  if (!ada || !bob) throw new Error('no sockets');
  let arrived: (() => void) | undefined;
  bob.onPacket((text) => {
    if (text.includes('"operation":"create"')) arrived?.();
  });
  const total = 1000 * bench.scale;
  const figures = await bench.measure('delivery latency, one at a time', total, () =>
    drive(total, 1, () => {
      const there = new Promise<void>((resolve) => (arrived = resolve));
      return Promise.all([
        ada.request('Message.create', `svc:///conversations/${conversation}`, body),
        there,
      ]);
    }),
  );
  ada.close();
  bob.close();
  return [figures];
};
