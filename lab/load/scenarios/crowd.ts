import type { TestUser } from '../../../test/support/app.ts';
import type { Bench } from '../bench.ts';
import { createConversations } from '../bench.ts';
import { connectBench, createRest, type BenchSocket } from '../client.ts';
import { drive, type Figures } from '../stats.ts';

const part = { mime_type: 'text/plain', body: 'The quick brown fox jumps over the lazy dog.' };
const body = JSON.stringify({ parts: [part] });

/** Many messages into one conversation, 200 in flight: its row is locked once for each batch. */
export const hotConversation = async (bench: Bench): Promise<Figures[]> => {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const [conversation] = await createConversations(users, 1);
  const socket = await connectBench(bench.app.baseUrl, users[0]?.token ?? '');
  const call = () => socket.request('Message.create', `svc:///conversations/${conversation}`, body);
  const total = 20_000 * bench.scale;
  await drive(1000 * bench.scale, 200, call);
  const figures = await bench.measure('one hot conversation, 200 in flight', total, () =>
    drive(total, 200, call),
  );
  socket.close();
  return [figures];
};

/** Read receipts by WebSocket, 200 in flight, for messages of 50 conversations; the sender is connected. */
export const receipts = async (bench: Bench): Promise<Figures[]> => {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const conversations = await createConversations(users, 50);
  const [ada, bob] = await Promise.all(users.map(({ token }) => connectBench(bench.app.baseUrl, token)));
  if (!ada || !bob) throw new Error('no sockets');
  const total = 20_000 * bench.scale;
  const ids: string[] = [];
  await drive(total, 200, async (index) => {
    const sent = await ada.request(
      'Message.create',
      `svc:///conversations/${conversations[index % 50]}`,
      body,
    );
    ids.push(/svc:\/\/\/messages\/[0-9a-f-]{36}/.exec(sent)?.[0] ?? '');
  });
  const figures = await bench.measure('read receipts, 200 in flight', total, () =>
    drive(total, 200, (index) => bob.request('Receipt.create', ids[index] ?? '', '{"type":"read"}')),
  );
  ada.close();
  bob.close();
  return [figures];
};

/** One replay of 10,000 missed messages, from the request to its answer. */
export const replay = async (bench: Bench): Promise<Figures[]> => {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const conversations = await createConversations(users, 10);
  const since = new Date(Date.now() - 1000).toISOString();
  const [ada, token] = [await connectBench(bench.app.baseUrl, users[0]?.token ?? ''), users[1]?.token ?? ''];
  const missed = 10_000 * bench.scale;
  await drive(missed, 200, (index) =>
    ada.request('Message.create', `svc:///conversations/${conversations[index % 10]}`, body),
  );
  const bob = await connectBench(bench.app.baseUrl, token);
  let created = 0;
  bob.onPacket((text) => {
    if (text.includes('"operation":"create","object":{"type":"Message"')) created += 1;
  });
  const figures = await bench.measure(`replay of ${missed} messages, packets`, missed, () =>
    drive(1, 1, () => bob.request('Event.replay', '', `{"from_timestamp":"${since}"}`)),
  );
  if (created !== missed) throw new Error(`${created} of ${missed} messages were replayed`);
  ada.close();
  bob.close();
  return [figures];
};

/** Sockets that do nothing: what one of them takes of the gateway's memory. */
export const idleSockets = async (bench: Bench): Promise<Figures[]> => {
  const count = 10_000 * bench.scale;
  const users: TestUser[] = [];
  for (let index = 0; index < 100; index++) users.push(await bench.app.login(`idle-${index}`));
  const sockets: BenchSocket[] = [];
  const residents = () =>
    memoryOf(bench.running.state.processes.find(({ name }) => name === 'gateway')?.pid ?? 0);
  const before = await residents();
  const figures = await bench.measure('idle sockets, opened', count, () =>
    drive(count, 50, async (index) => {
      sockets.push(await connectBench(bench.app.baseUrl, users[index % users.length]?.token ?? ''));
    }),
  );
  const each = ((await residents()) - before) / count / 1024;
  sockets.forEach((socket) => socket.close());
  return [{ ...figures, note: `${each.toFixed(1)} KB each` }];
};

const memoryOf = async (pid: number): Promise<number> => {
  const { readFile } = await import('node:fs/promises');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
};

/** Scheduled messages, all within a few seconds: how late the last receiver hears of each. */
export const scheduled = async (bench: Bench): Promise<Figures[]> => {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const conversations = await createConversations(users, 50);
  const send = createRest(bench.app.baseUrl, 50);
  const count = Math.round(10_000 * bench.scale);
  const spread = 20_000 * bench.scale;
  const bob = await connectBench(bench.app.baseUrl, users[1]?.token ?? '');
  const lateness: number[] = [];
  let finish: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (finish = resolve));
  bob.onPacket((text) => {
    const due = /due (\d+)/.exec(text)?.[1];
    if (due === undefined || !text.includes('"body":{"operation":"create"')) return;
    lateness.push(Date.now() - Number(due));
    if (lateness.length === count) finish();
  });
  const first = Date.now() + Math.max(10_000, count * 2);
  await drive(count, 50, (index) => {
    const due = first + Math.round((index / count) * spread);
    const given = {
      sender_id: 'ada',
      parts: [{ mime_type: 'text/plain', body: `due ${due}` }],
      schedule: { delay_in_seconds: (due - Date.now()) / 1000 },
    };
    const path = `/apps/${bench.app.appUuid}/conversations/${conversations[index % 50]}/messages`;
    return send('POST', path, `Bearer ${bench.app.accessToken}`, JSON.stringify(given));
  });
  const figures = await bench.measure(`scheduled messages, lateness of ${count} pending`, count, async () => {
    await all;
    return lateness;
  });
  bob.close();
  return [figures];
};
