import { completed, makeKeyPair } from '../../support/archive.ts';
import type { Bench } from '../bench.ts';
import { createConversations } from '../bench.ts';
import { connectBench } from '../client.ts';
import { quantile, type Figures } from '../stats.ts';
import { fill } from './history.ts';

const body = JSON.stringify({ parts: [{ mime_type: 'text/plain', body: 'meanwhile' }] });

/** A historical export of many messages; the note tells what sends took meanwhile. */
export const historicalExport = async (bench: Bench): Promise<Figures[]> => {
  const { app } = bench;
  const users = [await app.login('ada'), await app.login('bob')];
  const [conversation = '', other = ''] = await createConversations(users, 2);
  const total = Math.round(1_000_000 * Math.min(1, bench.scale));
  const message = { parts: [{ mime_type: 'text/plain', body: 'history' }] };
  await users[0]?.call('POST', `/conversations/${conversation}/messages`, 201, { body: message });
  await fill(bench, conversation, total);
  await app.server('PUT', '/export_security', 200, { body: { public_key: makeKeyPair().publicKey } });
  const socket = await connectBench(app.baseUrl, users[0]?.token ?? '');
  const times: number[] = [];
  let running = true;
  const figures = await bench.measure('historical export, messages', total, async () => {
    const sending = (async () => {
      while (running) {
        const began = performance.now();
        await socket.request('Message.create', `svc:///conversations/${other}`, body);
        times.push(performance.now() - began);
      }
    })();
    const { body: requested } = await app.server('POST', '/exports', 202);
    await completed(app, requested.id, 600_000);
    running = false;
    await sending;
    return times.sort((a, b) => a - b);
  });
  socket.close();
  return [
    {
      ...figures,
      note: `p99 of sends meanwhile, one at a time: ${quantile(times, 0.99).toFixed(0)} ms`,
    },
  ];
};
