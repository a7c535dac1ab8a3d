import type { Bench } from '../bench.ts';
import { createConversations } from '../bench.ts';
import { connectBench } from '../client.ts';
import { drive, type Figures } from '../stats.ts';

const LEVELS = [
  { inFlight: 1, total: 1_000 },
  { inFlight: 50, total: 10_000 },
  { inFlight: 200, total: 20_000 },
  { inFlight: 1_000, total: 20_000 },
];
const CONVERSATIONS = 50;
const DATA = JSON.stringify({
  parts: [{ mime_type: 'text/plain', body: 'The quick brown fox jumps over the lazy dog.' }],
});

/**
 * Sends by WebSocket over 50 conversations of two, both connected, from one message at a time to a thousand: where each
 * message waits, how large the batches are, and how often the processes switch.
 */
export async function inFlight(bench: Bench): Promise<Figures[]> {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const conversations = await createConversations(users, CONVERSATIONS);
  const sockets = await Promise.all(users.map(({ token }) => connectBench(bench.app.baseUrl, token)));
  const call = (index: number) => {
    const object = `svc:///conversations/${conversations[index % CONVERSATIONS]}`;
    return sockets[0]!.request('Message.create', object, DATA);
  };
  await drive(Math.ceil(2_000 * bench.scale), 50, call);
  const rows: Figures[] = [];
  for (const { inFlight, total: usual } of LEVELS) {
    const total = Math.max(inFlight, Math.round(usual * bench.scale));
    const name = `WebSocket sends by stage, ${inFlight} in flight`;
    const figures = await bench.measure(name, total, () => drive(total, inFlight, call));
    rows.push({ ...figures, isDetailed: true });
  }
  for (const socket of sockets) socket.close();
  return rows;
}
