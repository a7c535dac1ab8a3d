import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from './client.ts';
import { check, type History } from './history.ts';
import { exportMessages, observe } from './observe.ts';
import type { Round } from './round.ts';

const TRUE_WITHIN_MS = 60_000;

/** Describes promises that are still broken a minute after the load has stopped. */
export async function judge(round: Round, client: Client, history: History): Promise<string[]> {
  const end = Date.now() + TRUE_WITHIN_MS;
  for (;;) {
    // An erasure that was accepted may go on while an export is written.
    const exported = await exportMessages(round, client);
    const problems = check(history, await observe(round, client, exported), round.members);
    const ofSockets = round.followers.flatMap(({ name, follower }) =>
      follower.faults.map((fault) => `${name}: ${fault}`),
    );
    if (problems.length === 0 || Date.now() > end) return [...problems, ...ofSockets];
    await pause(500);
  }
}
