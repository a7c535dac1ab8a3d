import { readFile, rm } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { REPOSITORY } from '@parley/stack/config';
import { startPlatform, type Platform } from '@parley/stack/platform';
import { freePort } from '@parley/stack/testing';
import { createClient, type Client } from '../faults/client.ts';
import { idsToExport, type History } from '../faults/history.ts';
import { startLoad } from '../faults/load.ts';
import { exportMessages, observe } from '../faults/observe.ts';
import { startRound, type Round } from '../faults/round.ts';
import { checkRestored, type Before } from './check.ts';
import { copyTree } from './copy-tree.ts';
import { downloadAll, sendContent } from './downloads.ts';
import { archiveFromNextStart, backUp, restore, untilArchived, withClient } from './postgres-backup.ts';

// `npm run drill [-- --seconds 10]`: load, a backup under load, more load, destruction, and a restore to a point in time. Everything that
// was acknowledged before that moment has to be there, and nothing that was sent after it.
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } });
const seconds = Number(values.seconds);
if (!Number.isSafeInteger(seconds) || seconds < 1) throw new Error('--seconds is a whole number');

const RIGHT_WITHIN_MS = 60_000;
const AGAIN_MS = 500;
const MAX_SHOWN = 10;

const root = mkdtempSync(path.join(tmpdir(), 'parley-drill-'));
const folder = (name: string) => path.join(root, name);
const port = await freePort();
const data = folder('data');
const env = { '*': { PARLEY_RATE_LIMIT_FACTOR: '0' } };

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}

function newHistory(): History {
  return { sent: [], read: new Map(), announced: [], faults: [] };
}

async function start(catalog?: []): Promise<Platform> {
  return startPlatform({ dataDir: data, port, demo: false, env, ...(catalog && { catalog }) });
}

/** Clients work while `meanwhile` does, and for some seconds after it. */
async function underLoad(round: Round, client: Client, meanwhile: () => Promise<void>): Promise<History> {
  const history = newHistory();
  const load = startLoad(round, client, history);
  await pause((seconds * 1000) / 2);
  await meanwhile();
  await pause((seconds * 1000) / 2);
  await load.stop();
  return history;
}

type Lost = { round: Round; client: Client; before: Before; moment: Date };

/** Runs the platform until it is destroyed. Its backup, the archive of its log and its blobs are left. */
async function runAndDestroy(): Promise<Lost> {
  const bare = await start([]);
  await archiveFromNextStart(bare.state.postgres_url, folder('archive'));
  await bare.stop();
  const running = await start();
  const { postgres_url: url, admin_token: adminToken } = running.state;
  const platform = { baseUrl: running.baseUrl, adminToken };
  const round = await startRound({ platform, addresses: [running.baseUrl] });
  const client = createClient([running.baseUrl]);
  const history = await underLoad(round, client, () =>
    backUp(url, path.join(data, 'postgres'), folder('backup')),
  );
  const uploaded = await sendContent(round, history);
  await Promise.all(round.followers.map(({ follower }) => follower.stop()));
  const moment = new Date();
  say(`${history.sent.length} messages were acknowledged; the platform will be restored to this moment`);
  const later = await underLoad(round, client, () => copyTree(path.join(data, 'blobs'), folder('blobs')));
  say(`${later.sent.length} more were acknowledged; destroying the platform`);
  await untilArchived(url);
  await running.discard();
  for (const name of ['postgres', 'nats', 'blobs'])
    await rm(path.join(data, name), { recursive: true, force: true });
  return { round, client, before: { history, uploaded, members: round.members }, moment };
}

/**
 * Looks again until everything is right or a minute has passed: events and erasures that were under way go on after the start. Only
 * then it exports, which an application may do once a day.
 */
async function judge({ round, client, before }: Lost): Promise<string[]> {
  const look = async (exported: string[]) => {
    const observed = await observe({ ...round, followers: [] }, client, exported);
    const downloaded = await downloadAll(round, client, before.uploaded);
    return checkRestored(before, { observed, downloaded });
  };
  const wanted = idsToExport(before.history);
  const end = Date.now() + RIGHT_WITHIN_MS;
  while ((await look(wanted)).length > 0 && Date.now() < end) await pause(AGAIN_MS);
  return look(await exportMessages(round, client));
}

/** What deploy/backup/after-restore.sql is for, while no process runs. */
async function followUp(): Promise<void> {
  const sql = await readFile(path.join(REPOSITORY, 'deploy/backup/after-restore.sql'), 'utf8');
  const bare = await start([]);
  const url = new URL(bare.state.postgres_url);
  url.pathname = '/parley_messaging';
  await withClient(url.href, (client) => client.query(sql));
  await bare.stop();
}

/** A client that was connected at the moment must learn that it may have seen changes that are lost. */
async function judgeReplay({ round, moment }: Lost): Promise<string[]> {
  const socket = await round.users.ada.connect();
  const data = { from_timestamp: moment.toISOString() };
  const answer = await socket.request('Event.replay', { data });
  await socket.close();
  const isIncomplete = answer.success === true && answer.data.complete === false;
  return isIncomplete ? [] : [`a replay from the moment on says ${JSON.stringify(answer)}`];
}

async function drill(): Promise<string[]> {
  const lost = await runAndDestroy();
  const began = Date.now();
  const restored = { backup: folder('backup'), archive: folder('archive'), to: lost.moment };
  await restore({ ...restored, data: path.join(data, 'postgres') });
  await copyTree(folder('blobs'), path.join(data, 'blobs'));
  await followUp();
  const running = await start();
  say(`restored within ${((Date.now() - began) / 1000).toFixed(1)} s`);
  try {
    return [...(await judge(lost)), ...(await judgeReplay(lost))];
  } finally {
    await running.discard();
    await lost.round.webhook.receiver.stop();
  }
}

const problems = await drill().finally(() => rmSync(root, { recursive: true, force: true }));
for (const problem of problems.slice(0, MAX_SHOWN)) say(`BROKEN: ${problem}`);
say(`${problems.length} promises broken`);
process.exit(problems.length > 0 ? 1 : 0);
