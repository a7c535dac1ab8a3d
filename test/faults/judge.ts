import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from './client.ts';
import { check, idsToExport, type History } from './history.ts';
import { exportMessages, observe } from './observe.ts';
import type { Round } from './round.ts';

const TRUE_WITHIN_MS = 60_000;

/**
 * Describes promises that are still broken a minute after the load has stopped. Only then it exports, which an application may do once
 * a day.
 */
export async function judge(round: Round, client: Client, history: History): Promise<string[]> {
  const look = async (exported: string[]) =>
    check(history, await observe(round, client, exported), round.members);
  const wanted = idsToExport(history);
  const end = Date.now() + TRUE_WITHIN_MS;
  while ((await look(wanted)).length > 0 && Date.now() < end) await pause(500);
  const problems = await look(await exportMessages(round, client));
  const ofSockets = round.followers.flatMap(({ name, follower }) =>
    follower.faults.map((fault) => `${name}: ${fault}`),
  );
  return [...problems, ...ofSockets];
}
