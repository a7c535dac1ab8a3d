import { setTimeout as sleep } from 'node:timers/promises';
import { createUsers, type Bench } from '../bench.ts';
import { connectBench, type BenchSocket } from '../client.ts';
import { drive, type Figures } from '../stats.ts';

const SOCKETS_OF_USER = 10;
/** As the client library asks a silent connection. */
const EVERY_MS = 15_000;
const ROUNDS = 3;

/** Silent sockets of visible pages, each of which asks for a sign of life every 15 s: processor time by question. */
export async function probes(bench: Bench): Promise<Figures[]> {
  const count = Math.round(2_000 * bench.scale);
  const users = await createUsers(bench, 'silent', Math.ceil(count / SOCKETS_OF_USER));
  const sockets: BenchSocket[] = [];
  await drive(count, 20, async (index) => {
    sockets.push(await connectBench(bench.app.baseUrl, users[index % users.length]!.token, 'svc-3.1'));
  });
  await sleep(EVERY_MS);
  const ask = async (socket: BenchSocket, afterMs: number): Promise<number[]> => {
    const times: number[] = [];
    await sleep(afterMs);
    for (let round = 0; round < ROUNDS; round++) {
      const askedAt = performance.now();
      await socket.request('Counter.read', '', '{}');
      times.push(performance.now() - askedAt);
      await sleep(EVERY_MS - (performance.now() - askedAt));
    }
    return times;
  };
  const measured = await bench.measure(`signs of life of ${count} sockets`, count * ROUNDS, async () => {
    const all = await Promise.all(sockets.map((socket, index) => ask(socket, (index / count) * EVERY_MS)));
    return all.flat().sort((one, other) => one - other);
  });
  sockets.forEach((socket) => socket.close());
  return [{ ...measured, note: 'one every 15 s for each' }];
}
