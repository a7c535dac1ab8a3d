import path from 'node:path';
import { REPOSITORY } from '../config.ts';
import { spawnToLog } from '../command.ts';
import { guardProcess } from '../guard.ts';
import { signalGroup, untilDead } from '../pids.ts';
import { lowerPriority } from '../priority.ts';

/** Builds beside a platform, for the browsers of those who try it. */
export type PageBuilds = { stop(): Promise<void> };

type Around = { runFolder: string; logFile(name: string): string; report(line: string): void };
type Build = { name: string; what: string; args: string[] };

const SCRIPTS = path.join(REPOSITORY, 'scripts');
const BUILDS: readonly Build[] = [
  { name: 'chat', what: 'chat', args: [path.join(SCRIPTS, 'chat.ts')] },
  { name: 'console', what: 'console', args: [path.join(SCRIPTS, 'console.ts')] },
  { name: 'library', what: 'client library', args: [path.join(SCRIPTS, 'library', 'main.ts')] },
  { name: 'site', what: 'documentation', args: [path.join(SCRIPTS, 'bootstrap.mjs'), 'site'] },
];

/** Builds the chat, the console, the client library and the documentation after all other processes while processors are short. `report` gets a line for a failure. */
export function startPageBuilds(around: Around): PageBuilds {
  const stops = BUILDS.map((build) => startBuild(build, around));
  return { stop: () => Promise.all(stops.map((stop) => stop())).then(() => undefined) };
}

/** Answers what ends it early. */
function startBuild(
  { name, what, args }: Build,
  { runFolder, logFile, report }: Around,
): () => Promise<void> {
  const log = logFile(name);
  const child = spawnToLog({ file: process.execPath, args, cwd: REPOSITORY }, log);
  const { pid } = child;
  let isStopped = false;
  const failed = () => isStopped || report(`The ${what} could not be built: see ${log}`);
  child.once('error', failed);
  if (pid === undefined) return async () => {};
  const release = guardProcess(runFolder, pid);
  child.once('exit', (code) => {
    release();
    if (code !== 0) failed();
  });
  void lowerPriority(pid);
  return async () => {
    isStopped = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    signalGroup(pid, 'SIGKILL');
    await untilDead(pid, 5_000);
  };
}
