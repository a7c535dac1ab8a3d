import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from './client.ts';
import { downloadAll } from './contents.ts';
import { check, idsToExport, type History } from './history.ts';
import { exportMessages, observe } from './observe.ts';
import type { Round } from './round.ts';

const TRUE_WITHIN_MS = 60_000;

/**
 * Describes promises that are still broken a minute after the load has stopped. Only then it exports, which an application may do once
 * a day, and downloads contents.
 */
export async function judge(round: Round, client: Client, history: History): Promise<string[]> {
  const { contents = [] } = history;
  const look = async (exported: string[], downloaded: typeof contents) =>
    check(history, { ...(await observe(round, client, exported)), contents: downloaded }, round.members);
  const wanted = idsToExport(history);
  const end = Date.now() + TRUE_WITHIN_MS;
  while ((await look(wanted, contents)).length > 0 && Date.now() < end) await pause(500);
  const downloaded = await downloadAll(round, client, contents);
  const problems = await look(await exportMessages(round, client), downloaded);
  const ofSockets = [...round.followers, ...round.silent.followers].flatMap(({ name, follower }) =>
    follower.faults.map((fault) => `${name}: ${fault}`),
  );
  return [...problems, ...ofSockets];
}
