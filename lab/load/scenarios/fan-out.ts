import { uuidOf, type TestUser } from '../../../test/support/app.ts';
import type { Bench } from '../bench.ts';
import { connectBench } from '../client.ts';
import { drive, type Figures } from '../stats.ts';

const body = JSON.stringify({ parts: [{ mime_type: 'text/plain', body: 'to everybody' }] });

/** One conversation whose members are all connected: packets of new messages that reached sockets. */
export const fanOut =
  (members: number) =>
  async (bench: Bench): Promise<Figures[]> => {
    const users: TestUser[] = [];
    for (let index = 0; index < members; index++) users.push(await bench.app.login(`member-${index}`));
    const [owner] = users;
    const participants = users.map(({ id }) => id);
    const made = await owner?.call('POST', '/conversations', 201, { body: { participants } });
    const sockets = await Promise.all(users.map(({ token }) => connectBench(bench.app.baseUrl, token)));
    const messages = Math.round((40_000 * bench.scale) / members);
    const expected = messages * members;
    let received = 0;
    let done: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (done = resolve));
    for (const socket of sockets) {
      socket.onPacket((text) => {
        if (text.includes('"body":{"operation":"create"') && ++received === expected) done();
      });
    }
    const object = `svc:///conversations/${uuidOf(made?.body.id)}`;
    const figures = await bench.measure(`fan-out to ${members} members, deliveries`, expected, async () => {
      const times = await drive(messages, 20, () => sockets[0]!.request('Message.create', object, body));
      await all;
      return times;
    });
    sockets.forEach((socket) => socket.close());
    return [{ ...figures, note: `${Math.round(messages / figures.seconds)} messages/s` }];
  };
