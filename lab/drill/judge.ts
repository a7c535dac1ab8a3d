import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../faults/client.ts';
import { idsToExport } from '../faults/history.ts';
import { exportMessages, observe } from '../faults/observe.ts';
import type { Round } from '../faults/round.ts';
import { checkBlocks, checkJournal, checkNewcomer, checkSends, type Cast } from './acts.ts';
import type { Bystander } from './bystander.ts';
import { checkRestored, type Before } from './check.ts';
import { downloadAll } from './downloads.ts';
import { joined, withoutUser } from './history.ts';
import { momentOf, type Moments, type Skew } from './skew.ts';

const RIGHT_WITHIN_MS = 60_000;
const AGAIN_MS = 500;

/** Everything that clients were told, up to the first moment and between the two. */
export type Told = {
  round: Round;
  client: Client;
  cast: Cast;
  bystander: Bystander;
  moments: Moments;
  first: Before;
  second: Before;
};

/** The expected contents of databases that were restored to different moments: messages by the moment of messaging, announcements by that of their database. */
function expectationOf({ round, first, second }: Told, skew: Skew): Before {
  const parts = momentOf(skew, 'messaging') === 'first' ? [first] : [first, second];
  const announced = momentOf(skew, 'announcement') === 'first' ? [first] : [first, second];
  const history = joined(...parts.map((part) => part.history));
  // This user is erased again after both moments.
  const erased = withoutUser(history, round.users.returning.id);
  return {
    history: { ...erased, announced: announced.flatMap((part) => part.history.announced) },
    uploaded: parts.flatMap((part) => part.uploaded),
    members: first.members,
  };
}

/**
 * Looks again until everything is right or a minute has passed: events and erasures that were under way go on after the start. Only
 * then it exports, which an application may do once a day.
 */
async function judgeRecords({ round, client, ...told }: Told, skew: Skew): Promise<string[]> {
  const before = expectationOf({ round, client, ...told }, skew);
  const look = async (exported: string[]) => {
    const observed = await observe({ ...round, followers: [] }, client, exported);
    // A webhook that is restored to an earlier moment is told again, of the same event in a new delivery.
    const webhooks = observed.webhooks.map((one) => ({ ...one, delivery: one.event }));
    const downloaded = await downloadAll(round, client, before.uploaded);
    return checkRestored(before, {
      observed: { ...observed, webhooks: skew ? webhooks : observed.webhooks },
      downloaded,
    });
  };
  const wanted = idsToExport(before.history);
  const end = Date.now() + RIGHT_WITHIN_MS;
  while ((await look(wanted)).length > 0 && Date.now() < end) await pause(AGAIN_MS);
  return look(await exportMessages(round, client));
}

/** A client that was connected at the moment must learn that it may have seen changes that are lost. */
async function judgeReplay({ round, moments }: Told): Promise<string[]> {
  const socket = await round.users.ada.connect();
  const data = { from_timestamp: moments.first.toISOString() };
  const answer = await socket.request('Event.replay', { data });
  await socket.close();
  const isIncomplete = answer.success === true && answer.data.complete === false;
  return isIncomplete ? [] : [`a replay from the moment on says ${JSON.stringify(answer)}`];
}

/** Describes what a platform lacks, or shows wrongly, whose databases have the moments of a skew. */
export async function judge(told: Told, skew: Skew): Promise<string[]> {
  const { round, client, cast } = told;
  const remembers = (database: string) => momentOf(skew, database) === 'second';
  const isRemembered = remembers('identity') || remembers('messaging');
  return [
    ...(await judgeRecords(told, skew)),
    ...(await judgeReplay(told)),
    ...(await checkJournal(round, client, cast)),
    ...(isRemembered ? await checkNewcomer(round, client) : []),
    ...(await checkBlocks(round, { isRemembered })),
    ...(await checkSends(round)),
  ];
}
