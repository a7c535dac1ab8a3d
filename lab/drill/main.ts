import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@parley/testing';
import { createClient, type Client } from '../faults/client.ts';
import type { History } from '../faults/history.ts';
import { startLoad } from '../faults/load.ts';
import { startRound, type Round } from '../faults/round.ts';
import { actAfter, actBetween, castOf } from './acts.ts';
import { createBystander, exportBystander } from './bystander.ts';
import { copyTree } from './copy-tree.ts';
import { sendContent } from './downloads.ts';
import { judge, type Told } from './judge.ts';
import { recover, restoreAll, start } from './platform.ts';
import { archiveFromNextStart, backUp, untilArchived } from './postgres-backup.ts';
import { nameOf, readArguments, type Skew } from './skew.ts';

// `npm run lab -- drill [--seconds 10 --skew all --clocks 3600]`: load, a backup under load, more load, destruction, and a restore to a point in time. What
// was acknowledged before that moment has to be there, and nothing that was sent after it. Then again with databases of two moments, and all of
// it with clocks that differ.
const { seconds, skews, clocksApartMs } = readArguments(process.argv.slice(2));
const MAX_SHOWN = 10;

const root = mkdtempSync(path.join(tmpdir(), 'parley-drill-'));
const folder = (name: string) => path.join(root, name);
const port = await freePort();
const data = folder('data');

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}

/** Clients work while `meanwhile` does, and for some seconds after it. */
async function underLoad(
  round: Round,
  client: Client,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<History> {
  const history: History = { sent: [], read: new Map(), announced: [], faults: [] };
  const load = startLoad(round, client, history);
  await pause((seconds * 1000) / 2);
  await meanwhile();
  await pause((seconds * 1000) / 2);
  await load.stop();
  return history;
}

/** Runs the platform until it is destroyed. Its backup, the archive of its log, its blobs and its journal are left. */
async function runAndDestroy(): Promise<Told> {
  const bare = await start({ dataDir: data, port, catalog: [] });
  await archiveFromNextStart(bare.state.postgres_url, folder('archive'));
  await bare.stop();
  const running = await start({ dataDir: data, port, clocksApartMs });
  const { postgres_url: url, admin_token: adminToken } = running.state;
  const round = await startRound({
    platform: { baseUrl: running.baseUrl, adminToken },
    addresses: [running.baseUrl],
  });
  const client = createClient([running.baseUrl]);
  const cast = await castOf(round);
  const bystander = await createBystander(round.app.platform);
  const told = async (work: () => Promise<History>) => {
    const history = await work();
    return { history, uploaded: await sendContent(round, history), members: round.members };
  };
  const first = await told(() =>
    underLoad(round, client, () => backUp(url, path.join(data, 'postgres'), folder('backup'))),
  );
  await Promise.all(round.followers.map(({ follower }) => follower.stop()));
  const firstMoment = await quietMoment();
  const second = await told(() => underLoad(round, client));
  await actBetween(round);
  const moments = { first: firstMoment, second: await quietMoment() };
  const later = await underLoad(round, client);
  await actAfter(round, cast);
  await copyTree(path.join(data, 'blobs'), folder('blobs'));
  say(
    `acknowledged messages: ${first.history.sent.length} before the first moment, ` +
      `${second.history.sent.length} before the second, ${later.sent.length} after it; destroying the platform`,
  );
  await untilArchived(url);
  await running.discard();
  await copyTree(path.join(data, 'journal'), folder('journal'));
  await rm(path.join(data, 'postgres'), { recursive: true, force: true });
  return { round, client, cast, bystander, moments, first, second };
}

/** Nothing is written shortly before it and after it. */
async function quietMoment(): Promise<Date> {
  await pause(500);
  const moment = new Date();
  await pause(500);
  return moment;
}

async function rehearse(told: Told, skew: Skew): Promise<string[]> {
  const began = Date.now();
  const { platform, stop } = await restoreAll({ root, moments: told.moments, clocksApartMs }, port, skew);
  try {
    const [output, ofExport] = await Promise.all([
      recover(platform, told.moments.first),
      exportBystander(told.bystander, told.client),
    ]);
    say(`${nameOf(skew)}: restored within ${((Date.now() - began) / 1000).toFixed(1)} s`);
    for (const line of output.slice(0, output.indexOf('\n\n')).split('\n')) say(`  ${line}`);
    return [...ofExport, ...(await judge(told, skew))];
  } finally {
    await stop();
  }
}

async function drill(): Promise<number> {
  const told = await runAndDestroy();
  let broken = 0;
  try {
    for (const skew of skews) {
      const problems = await rehearse(told, skew);
      for (const problem of problems.slice(0, MAX_SHOWN)) say(`BROKEN: ${problem}`);
      say(`${nameOf(skew)}: ${problems.length} promises broken`);
      broken += problems.length;
    }
  } finally {
    await told.round.webhook.receiver.stop();
  }
  return broken;
}

const broken = await drill().finally(() => rmSync(root, { recursive: true, force: true }));
process.exit(broken > 0 ? 1 : 0);
