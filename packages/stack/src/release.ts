import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { readConfig, REPOSITORY } from './config.ts';

const run = promisify(execFile);

/** A release, as CHANGELOG.md names it. `commit`: the full hash. */
export type Release = { version: string; commit: string };

/** The newest release that a text in the form of CHANGELOG.md names. Throws when it names none. */
export function parseChangelog(text: string): Release {
  const found = /^## (?<version>\d+\.\d+\.\d+)$\s+^Commit `(?<commit>[0-9a-f]{40})`\.$/m.exec(text)?.groups;
  if (!found?.['version'] || !found['commit'])
    throw new Error('CHANGELOG.md names no release with its commit');
  return { version: found['version'], commit: found['commit'] };
}

/** The last release before this checkout. */
export function lastRelease(): Release {
  return parseChangelog(readFileSync(path.join(REPOSITORY, 'CHANGELOG.md'), 'utf8'));
}

/** Whether the history of this checkout contains the release; that of a shallow clone or an archive may not. */
export function isInHistory({ commit }: Release): boolean {
  try {
    execFileSync('git', ['merge-base', '--is-ancestor', commit, 'HEAD'], {
      cwd: REPOSITORY,
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** Files in a folder of the release, as paths from the root. Throws when the release did not have it. */
export function listReleased({ commit }: Release, folder: string): string[] {
  return git('ls-tree', '--name-only', `${commit}:${folder}`)
    .trim()
    .split('\n')
    .map((name) => `${folder}/${name}`);
}

/** The text of a file of the release. Throws when the release did not have it. */
export function readReleased({ commit }: Release, file: string): string {
  return git('show', `${commit}:${file}`);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** A checkout of the release with everything built, which later runs use again. Takes about half a minute the first time. */
export async function obtainRelease({ commit }: Release): Promise<string> {
  const folder = path.join(readConfig().cacheDir, 'releases', commit);
  if (existsSync(folder)) return folder;
  await mkdir(path.dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await run('git', ['worktree', 'add', '--detach', draft, commit], { cwd: REPOSITORY });
    // The command line needs everything built.
    const command = [path.join(draft, 'scripts', 'bootstrap.mjs'), 'parley', '--help'];
    await run(process.execPath, command, { cwd: draft, maxBuffer: 2 ** 26 });
    await rename(draft, folder);
  } catch (error) {
    // Another run may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await run('git', ['worktree', 'prune'], { cwd: REPOSITORY });
  }
  return folder;
}
