import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { textPart, type TestUser } from './app.ts';
import type { Failover } from './failover.ts';

/** Clients that send messages and receipts one after another, and repeat each request at most once. */
export type Load = {
  /** Ids of acknowledged messages, in the order of each sender, by conversation. */
  readonly taken: ReadonlyMap<string, readonly string[]>;
  /** Requests that failed. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
};

type Pair = { conversation: string; sender: TestUser; reader: TestUser };

const RECEIPT_EVERY = 5;
const PAUSE_MS = 10;

export function startLoad(pairs: readonly Pair[], client: Failover): Load {
  const taken = new Map<string, string[]>();
  const failures: string[] = [];
  let stopped = false;
  const as = (user: TestUser) => ({ authorization: `Svc session-token="${user.token}"` });

  const step = async ({ conversation, sender, reader }: Pair, count: number): Promise<void> => {
    const id = randomUUID();
    const body = { id, parts: [textPart(`message ${count}`)] };
    const path = `/conversations/${conversation}/messages`;
    await client.call('POST', path, 201, { headers: as(sender), body, done: 409 });
    taken.get(conversation)!.push(id);
    if (count % RECEIPT_EVERY === 0)
      await client.call('POST', `/messages/${id}/receipts`, 204, {
        headers: as(reader),
        body: { type: 'read' },
      });
  };

  const work = async (pair: Pair): Promise<void> => {
    taken.set(pair.conversation, []);
    for (let count = 1; !stopped; count++) {
      await step(pair, count).catch((error: unknown) => failures.push(String(error)));
      await pause(PAUSE_MS);
    }
  };
  const working = Promise.all(pairs.map(work));
  return {
    taken,
    failures,
    stop: async () => {
      stopped = true;
      await working;
    },
  };
}
