import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figures } from '../stats.ts';
import { historyLines } from './history.ts';
import { HISTORY, PAGE, withLastRun } from './page.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
/** The sources of the processes. */
const SOURCES = ['gateway', 'services', 'packages', 'proto', 'pnpm-lock.yaml'];

/** Appends the figures of a run to the history, and shows them on its page; resolves with the path of the history. */
export async function record(rows: readonly Figures[]): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  const lines = historyLines({ date, commit: describeCommit(), rows });
  const history = path.join(REPOSITORY, HISTORY);
  const page = path.join(REPOSITORY, PAGE);
  appendFileSync(history, lines.map((line) => `${line}\n`).join(''));
  writeFileSync(page, await withLastRun(readFileSync(page, 'utf8'), readFileSync(history, 'utf8')));
  return history;
}

function describeCommit(): string {
  const commit = git('rev-parse', '--short', 'HEAD');
  return git('status', '--porcelain', '--', ...SOURCES) === '' ? commit : `${commit}+`;
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trim();
}
