import { existsSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../config.ts';
import { spawnToLog } from '../command.ts';
import { guardProcess } from '../guard.ts';
import { signalGroup, untilDead } from '../pids.ts';
import { lowerPriority } from '../priority.ts';

/** Where `npm run site` leaves the documentation: a link to its last build. */
export const SITE_FOLDER = path.join(REPOSITORY, '.parley', 'site', 'current');

/** Whether there is a build, perhaps of older sources. */
export function isSiteBuilt(): boolean {
  return existsSync(SITE_FOLDER);
}

export type SiteBuild = { stop(): Promise<void> };

type Around = { runFolder: string; logFile: string; report(line: string): void };

/** Runs `npm run site` after all other processes while processors are short. `report` gets a line when it fails. */
export function startSiteBuild({ runFolder, logFile, report }: Around): SiteBuild {
  const script = path.join(REPOSITORY, 'scripts', 'bootstrap.mjs');
  const child = spawnToLog({ file: process.execPath, args: [script, 'site'], cwd: REPOSITORY }, logFile);
  const { pid } = child;
  let isStopped = false;
  const failed = () => isStopped || report(`The documentation could not be built: see ${logFile}`);
  child.once('error', failed);
  if (pid === undefined) return { stop: async () => {} };
  const release = guardProcess(runFolder, pid);
  child.once('exit', (code) => {
    release();
    if (code !== 0) failed();
  });
  void lowerPriority(pid);
  return {
    async stop() {
      isStopped = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      signalGroup(pid, 'SIGKILL');
      await untilDead(pid, 5_000);
    },
  };
}
