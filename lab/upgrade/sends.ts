import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type Platform, type TestUser } from '../../test/support/app.ts';
import { createClient, type Client } from '../faults/client.ts';

/** Time of a send, and of its acknowledgement after it, repeats included. Milliseconds. */
export type Send = { at: number; tookMs: number };

/** Users who send one message after another until they are stopped. */
export type Sends = { readonly done: readonly Send[]; stop(): Promise<void> };

export type Room = { users: TestUser[]; conversation: string };

const SENDERS = 4;

/** A conversation of a new application, with a message. */
export async function openRoom(platform: Platform): Promise<Room> {
  const app = await createApp(platform, 'large');
  const users: TestUser[] = [];
  for (let n = 1; n <= SENDERS; n++) users.push(await app.login(`user${n}`));
  const [first] = users;
  if (!first) throw new Error('nobody sends');
  const body = { participants: users.map(({ id }) => id), distinct: false };
  const conversation = uuidOf((await first.call('POST', '/conversations', 201, { body })).body.id);
  await first.call('POST', `/conversations/${conversation}/messages`, 201, {
    body: { parts: [textPart('First')] },
  });
  return { users, conversation };
}

/** Rejects at `stop` when a message could not be sent at all. */
export function startSends({ users, conversation }: Room, addresses: readonly string[]): Sends {
  const client = createClient(addresses);
  const done: Send[] = [];
  const stopping = new AbortController();
  const running = users.map((user) =>
    sendUntilStopped(client, { user, conversation, done }, stopping.signal),
  );
  return {
    done,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function sendUntilStopped(
  client: Client,
  { user, conversation, done }: { user: TestUser; conversation: string; done: Send[] },
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const at = Date.now();
    await client({
      ...{ method: 'POST', path: `/conversations/${conversation}/messages` },
      authorization: `Svc session-token="${user.token}"`,
      body: { id: randomUUID(), parts: [textPart('During the upgrade')] },
      expected: [201, 409],
    });
    done.push({ at, tookMs: Date.now() - at });
  }
}

/** The slowest of the sends that were under way at any time between two moments; 0: there was none. */
export function slowestBetween(sends: readonly Send[], from: number, until: number): number {
  return Math.max(
    0,
    ...sends.filter(({ at, tookMs }) => at <= until && at + tookMs >= from).map(({ tookMs }) => tookMs),
  );
}
