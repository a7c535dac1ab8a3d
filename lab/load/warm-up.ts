import { createConversations, type Bench } from './bench.ts';
import { connectBench, createRest } from './client.ts';
import { drive } from './stats.ts';

const BODY = JSON.stringify({ parts: [{ mime_type: 'text/plain', body: 'warm' }] });
const CONVERSATIONS = 50;
/** Sends of a socket: the number in flight, and the number in all. Batches of one and of many take different paths. */
const SENDS = [
  [200, 15_000],
  [50, 15_000],
  [1, 2_000],
] as const;

/**
 * Sends messages until the processes run compiled code, as those do that have been up for a while. In its first seconds a
 * process takes up to twice the processor time for a message.
 */
export async function warmUp({ app, scale }: Bench): Promise<void> {
  const share = Math.min(scale, 1);
  const users = [await app.login('warm-ada'), await app.login('warm-bob')] as const;
  const conversations = await createConversations(users, CONVERSATIONS);
  const idOf = (index: number) => conversations[index % CONVERSATIONS] ?? '';
  const send = createRest(app.baseUrl, CONVERSATIONS);
  const authorization = `Svc session-token="${users[0].token}"`;
  await drive(10_000 * share, CONVERSATIONS, (index) =>
    send('POST', `/conversations/${idOf(index)}/messages`, authorization, BODY),
  );
  const [ada, bob] = await Promise.all(users.map(({ token }) => connectBench(app.baseUrl, token)));
  if (!ada || !bob) throw new Error('no sockets');
  for (const [inFlight, count] of SENDS)
    await drive(count * share, inFlight, (index) =>
      ada.request('Message.create', `svc:///conversations/${idOf(index)}`, BODY),
    );
  ada.close();
  bob.close();
}
