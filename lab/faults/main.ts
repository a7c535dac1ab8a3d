import { setTimeout as pause } from 'node:timers/promises';
import { lastRelease, obtainRelease } from '@parley/stack/release';
import { DATABASES } from '../drill/skew.ts';
import { until } from '../../test/support/until.ts';
import { startReleases } from '../../test/support/releases.ts';
import { readArguments } from './arguments.ts';
import { createClient } from './client.ts';
import type { History } from './history.ts';
import { judge } from './judge.ts';
import { inflict } from './inflict.ts';
import { describeFault, faultsOf, mixedFaultsOf, type Fault } from './kinds.ts';
import { startLoad } from './load.ts';
import { checkRemoved } from './removals.ts';
import { startRound, type Round } from './round.ts';
import { startWorld, type World } from './world.ts';

// `npm run lab -- faults --faults 1000 --seed 7`, or `--minutes 60`: faults in a platform with two of every process while clients work,
// and after every 25 of them a check of all that the clients were told. The exit code says whether a promise was broken. With `--mix`
// processes are replaced by those of the last release, and back.
const { faults: count, minutes, seed, mix, only } = readArguments(process.argv.slice(2));

const FAULTS_A_ROUND = 25;
const BETWEEN_MS = 300;
const PROGRESS_WITHIN_MS = 60_000;
const MAX_SHOWN = 10;

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}

async function inflictAll(world: World, faults: readonly Fault[], sentSoFar: () => number): Promise<void> {
  for (const fault of faults) {
    if (fault.kind === 'fill' && !world.disks) continue;
    say(describeFault(fault));
    const before = sentSoFar();
    await inflict(world, fault);
    const isWorking = () => sentSoFar() > before || undefined;
    await until(`messages are sent after: ${describeFault(fault)}`, isWorking, PROGRESS_WITHIN_MS);
    await pause(BETWEEN_MS);
  }
}

function report(problems: readonly string[]): void {
  broken += problems.length;
  for (const problem of problems.slice(0, MAX_SHOWN)) say(`BROKEN: ${problem}`);
}

/** A connection that lost the platform in the last round may refuse a request of this one still. */
async function beginRound(world: World): Promise<Round> {
  const end = Date.now() + PROGRESS_WITHIN_MS;
  for (;;) {
    try {
      return await startRound(world, { fallsSilent: !mix });
    } catch (error) {
      if (!/\b503\b/.test(String(error)) || Date.now() > end) throw error;
      await pause(BETWEEN_MS);
    }
  }
}

async function runRound(
  world: World,
  faults: readonly Fault[],
): Promise<{ sent: number; problems: string[]; removed: readonly string[] }> {
  const round = await beginRound(world);
  const client = createClient(world.addresses);
  const history: History = {
    ...{ sent: [], read: new Map(), announced: [], contents: [], faults: [] },
    // The last release does not keep the promises of conversations that fall silent.
    ...(!mix && { silent: [] }),
  };
  const load = startLoad(round, client, history, { hasReleasedProcesses: mix });
  try {
    await inflictAll(world, faults, () => load.sent);
    await load.stop();
    await world.untilReady();
    const problems = await judge(round, client, history);
    return { sent: load.sent, problems, removed: round.removed };
  } finally {
    await load.stop();
    await round.stop();
  }
}

// Mounted file systems are unmounted on the way out.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
const releases = mix ? startReleases(await obtainRelease(lastRelease())) : undefined;
const world = await startWorld({ fillsDisks: !mix, ...(releases && { releases }) });
if (!mix && !world.disks) say('the faults of full disks are left out: file systems may not be mounted here');
const deadline = Date.now() + minutes * 60_000;
const faults = mix ? mixedFaultsOf(seed, count) : faultsOf(seed, count, only);
const removed: string[] = [];
let broken = 0;
let done = 0;
let sent = 0;
try {
  while (done < faults.length && Date.now() < deadline) {
    const some = faults.slice(done, done + FAULTS_A_ROUND);
    const round = await runRound(world, some);
    done += some.length;
    sent += round.sent;
    removed.push(...round.removed);
    report(round.problems);
    say(`${done} faults, ${sent} messages acknowledged, ${broken} promises broken`);
  }
  report(await checkRemoved({ postgresUrl: world.postgresUrl, databases: DATABASES }, removed));
} catch (error) {
  report([String(error)]);
} finally {
  await world.stop();
  releases?.stop();
}
say(`seed ${seed}: ${done} faults, ${sent} messages acknowledged, ${broken} promises broken`);
process.exit(broken > 0 ? 1 : 0);
