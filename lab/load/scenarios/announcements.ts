import { uuidOf, type TestUser } from '../../../test/support/app.ts';
import { insertIdentities } from '../../../test/support/identities.ts';
import type { Bench } from '../bench.ts';
import { connectBench, createRest, type BenchSocket } from '../client.ts';
import { quantile, type Figures } from '../stats.ts';

const recipients = 20_000;
const connected = 20;

/**
 * Announcements to 20,000 recipients, one after the other: the time until the 202, and the time until the last of those
 * who are connected has it. The connected ones are spread over all of the recipients.
 */
export const announcements = async (bench: Bench): Promise<Figures[]> => {
  const { app } = bench;
  const userIds = Array.from({ length: recipients }, (_, index) => `audience-${index}`);
  const users: TestUser[] = [];
  for (let index = 0; index < connected; index++) {
    users.push(await app.login(userIds[Math.round(((recipients - 1) * index) / (connected - 1))] ?? ''));
  }
  await insertIdentities(bench.running.state.postgres_url, app, userIds);
  const sockets = await Promise.all(users.map(({ token }) => connectBench(app.baseUrl, token)));
  const rest = createRest(app.baseUrl, 1);
  const body = JSON.stringify({
    recipients: userIds,
    sender_id: userIds[0],
    parts: [{ mime_type: 'text/plain', body: 'to everybody' }],
  });
  const arrivals = countArrivals(sockets);
  const announce = async (): Promise<{ answered: number; arrived: number }> => {
    const began = performance.now();
    const answer = await rest(
      'POST',
      `/apps/${app.appUuid}/announcements`,
      `Bearer ${app.accessToken}`,
      body,
    );
    const answered = performance.now() - began;
    await arrivals.all(uuidOf((JSON.parse(answer) as { id: string }).id));
    return { answered, arrived: performance.now() - began };
  };

  await announce();
  const count = Math.max(3, Math.round(20 * bench.scale));
  const arrived: number[] = [];
  const figures = await bench.measure(`announcements to ${recipients}`, count, async () => {
    const answered: number[] = [];
    for (let index = 0; index < count; index++) {
      const times = await announce();
      answered.push(times.answered);
      arrived.push(times.arrived);
    }
    return answered.sort((a, b) => a - b);
  });
  sockets.forEach((socket) => socket.close());
  arrived.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(arrived, share).toFixed(0));
  return [
    { ...figures, note: `202; the last of ${connected} connected has it after p50 ${p50} p99 ${p99} ms` },
  ];
};

/** Measures when every socket was told of an announcement. */
const countArrivals = (sockets: readonly BenchSocket[]) => {
  const counts = new Map<string, { count: number; done: () => void; all: Promise<void> }>();
  const of = (id: string) => {
    let entry = counts.get(id);
    if (entry) return entry;
    let done: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (done = resolve));
    entry = { count: 0, done, all };
    counts.set(id, entry);
    return entry;
  };
  const pattern = /"operation":"create","object":\{"type":"Announcement","id":"[^"]*\/([0-9a-f-]{36})"/;
  for (const socket of sockets) {
    socket.onPacket((text) => {
      const id = pattern.exec(text)?.[1];
      if (id === undefined) return;
      const entry = of(id);
      if (++entry.count === sockets.length) entry.done();
    });
  }
  return { all: (id: string): Promise<void> => of(id).all };
};
