import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import type { Figures } from '../stats.ts';
import {
  appendLines,
  HISTORY_HEAD,
  historyLine,
  PROCESSOR_HEAD,
  processorLines,
  type Run,
} from './history.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = path.join(REPOSITORY, 'docs', 'performance.md');
/** What the processes are made of. */
const SOURCES = ['gateway', 'services', 'packages', 'proto', 'pnpm-lock.yaml'];

/** Appends the figures of a run to the history in docs/performance.md; resolves with the path of that page. */
export async function record(rows: readonly Figures[]): Promise<string> {
  const run: Run = { date: new Date().toISOString().slice(0, 10), commit: describeCommit(), rows };
  const page = appendLines(readFileSync(PAGE, 'utf8'), HISTORY_HEAD, [historyLine(run)]);
  const text = appendLines(page, PROCESSOR_HEAD, processorLines(run));
  const config = await prettier.resolveConfig(PAGE);
  writeFileSync(PAGE, await prettier.format(text, { ...config, filepath: PAGE }));
  return PAGE;
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
