import { setTimeout as delay } from 'node:timers/promises';
import { makeKeyPair, statusPath } from '../../../test/support/archive.ts';
import { createApp, type TestApp } from '../../../test/support/app.ts';
import type { Bench } from '../bench.ts';
import { createConversations } from '../bench.ts';
import { connectBench } from '../client.ts';
import { drive, quantile, type Figures } from '../stats.ts';
import { fill } from './history.ts';

const body = JSON.stringify({ parts: [{ mime_type: 'text/plain', body: 'meanwhile' }] });
const { publicKey } = makeKeyPair();
const MAX_DURATION_MS = 600_000;

/** A historical export of many messages: alone, and while a client sends one message after another. */
export const historicalExport = async (bench: Bench): Promise<Figures[]> => {
  const total = Math.round(1_000_000 * Math.min(1, bench.scale));
  const { platform } = bench.app;
  const alone = await prepare(bench, bench.app, total);
  const exported = await bench.measure('historical export, messages', total, async () => {
    await alone.export();
    return [];
  });
  const second = await prepare(bench, await createApp(platform, 'bench'), total);
  await drive(500, 1, second.send);
  const count = Math.round(3000 * Math.min(1, bench.scale));
  const sends = await bench.measure('sends, one at a time', count, () => drive(count, 1, second.send));
  const meanwhile: number[] = [];
  const both = await bench.measure('historical export while sending, messages', total, async () => {
    let isOver = false;
    const sending = (async () => {
      while (!isOver) meanwhile.push(...(await drive(1, 1, second.send)));
    })();
    try {
      await Promise.race([second.export(), sending]);
    } finally {
      isOver = true;
    }
    await sending;
    return meanwhile.sort((a, b) => a - b);
  });
  second.close();
  alone.close();
  const ratio = (quantile(meanwhile, 0.99) / sends.p99).toFixed(1);
  return [
    exported,
    sends,
    { ...both, note: `p50 and p99 are those of ${meanwhile.length} sends, p99 ${ratio} times theirs alone` },
  ];
};

const prepare = async (bench: Bench, app: TestApp, total: number) => {
  const users = [await app.login('ada'), await app.login('bob')];
  const [conversation = '', other = ''] = await createConversations(users, 2);
  const message = { parts: [{ mime_type: 'text/plain', body: 'history' }] };
  await users[0]?.call('POST', `/conversations/${conversation}/messages`, 201, { body: message });
  await fill(bench, conversation, total);
  await app.server('PUT', '/export_security', 200, { body: { public_key: publicKey } });
  const socket = await connectBench(app.baseUrl, users[0]?.token ?? '');
  return {
    send: () => socket.request('Message.create', `svc:///conversations/${other}`, body),
    close: () => socket.close(),
    async export() {
      const { body: requested } = await app.server('POST', '/exports', 202);
      for (const end = Date.now() + MAX_DURATION_MS; Date.now() < end; await delay(100)) {
        const { body: shown } = await app.server('GET', statusPath(requested.id), 200);
        if (shown.status_reason !== null) throw new Error(`the export failed: ${shown.status_reason}`);
        if (shown.status === 'completed') return;
      }
      throw new Error(`the export took longer than ${MAX_DURATION_MS} ms`);
    },
  };
};
