import type { TestUser } from '../../../test/support/app.ts';
import { createConversation, createUsers, type Bench } from '../bench.ts';
import { connectBench, type BenchSocket } from '../client.ts';
import { drive, type Figures } from '../stats.ts';

const body = JSON.stringify({ parts: [{ mime_type: 'text/plain', body: 'Did it arrive?' }] });
const SENT_AT_ONCE = 10;
const MARKED_AT_ONCE = 50;

type Room = { object: string; sender: BenchSocket; others: BenchSocket[] };

async function openRoom(bench: Bench, members: readonly TestUser[]): Promise<Room> {
  const id = await createConversation(members);
  const sockets = await Promise.all(
    members.map(({ token }) => connectBench(bench.app.baseUrl, token, 'svc-3.1')),
  );
  const [sender, ...others] = sockets;
  if (!sender) throw new Error('a conversation has members');
  return { object: `svc:///conversations/${id}`, sender, others };
}

/**
 * Messages of conversations whose members are connected, without delivery receipts and with one of each other member for each message:
 * as often as the client library gives them at most, since there is never more than one message in two seconds.
 */
export async function deliveryReceipts(bench: Bench): Promise<Figures[]> {
  const rows: Figures[] = [];
  for (const size of [2, 10, 50]) {
    const count = Math.max(2, Math.round(100 / size));
    const users = await createUsers(bench, `receiver-${size}`, size * count);
    const rooms = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        openRoom(bench, users.slice(index * size, (index + 1) * size)),
      ),
    );
    const send = (index: number) => {
      const { sender, object } = rooms[index % count]!;
      return sender.request('Message.create', object, body);
    };
    const marks = rooms.flatMap(({ object, others }) => others.map((socket) => ({ object, socket })));
    const mark = (index: number) => {
      const { socket, object } = marks[index]!;
      return socket.request('Conversation.mark_all_delivered', object, '{}');
    };
    const rounds = Math.max(1, Math.round((4000 * bench.scale) / (count * size)));
    const items = rounds * count;
    const name = `messages in conversations of ${size}`;
    rows.push(
      await bench.measure(`${name}, without receipts`, items, () => drive(items, SENT_AT_ONCE, send)),
    );
    const measured = await bench.measure(`${name}, each delivered`, items, async () => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        times.push(...(await drive(count, SENT_AT_ONCE, send)));
        await drive(marks.length, MARKED_AT_ONCE, mark);
      }
      return times.sort((one, other) => one - other);
    });
    rows.push({ ...measured, note: `${size - 1} receipts a message` });
    for (const { sender, others } of rooms) for (const socket of [sender, ...others]) socket.close();
  }
  return rows;
}
