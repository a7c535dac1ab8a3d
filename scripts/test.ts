// Runs every test, or those that the arguments name as Jest's do: first those that may run beside others, then, one file at
// a time, those of `*.alone.test.ts`, and at last some once more with the tables of messaging in four cells, unless PARLEY_CELLS says which
// cells all of them use. At its end a line names each failure, and others say what was skipped since an optional program is missing, with
// `--times` also how long each file took; the last line says `N passed, N failed`. A run without a single test has failed; one whose
// tests were all skipped for that reason has not. With `--repeat-failed` a file that failed runs once more when everything else has ended.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesToRepeat, withRepetition } from './test/repeat.ts';
import { summarise, type Results, type Run } from './test/summary.ts';
import { timesLines } from './test/times.ts';

const CELLS = 'scripts/jest/cells.config.js';
const PHASES = {
  'Tests that run beside others': 'jest.config.js',
  'Tests that run alone': 'scripts/jest/alone.config.js',
  ...(process.env.PARLEY_CELLS === undefined && { 'Tests in four cells': CELLS }),
};
const REPOSITORY = path.resolve(import.meta.dirname, '..');
const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');

// Jest handles Ctrl-C itself; this process goes on to print the last line.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

const given = process.argv.slice(2);
const jestArgs = given.filter((arg) => arg !== '--times' && arg !== '--repeat-failed');
const runs: Run[] = [];
for (const [title, config] of Object.entries(PHASES)) {
  process.stderr.write(`${title}:\n`);
  const run = runJest(config, jestArgs);
  runs.push(run);
  // It was interrupted, or could not begin.
  if (!run.results) break;
}

const settled = given.includes('--repeat-failed') ? repeatFailed(runs) : runs;
const { passed, failed, skipped, unsteady, failures } = summarise(settled);
const times = given.includes('--times') ? timesLines(settled) : [];
for (const line of [...times, ...failures, ...skipped, ...unsteady]) process.stdout.write(`${line}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

/** The runs, with the second results of the files that failed. */
function repeatFailed(first: Run[]): Run[] {
  const configs = Object.values(PHASES);
  return first.map((run, phase) =>
    filesToRepeat(first, run).reduce((settled, file) => {
      process.stderr.write(`Once more, alone: ${path.relative(REPOSITORY, file)}\n`);
      return withRepetition(settled, file, runJest(configs[phase] ?? '', jestArgs, ['--testMatch', file]));
    }, run),
  );
}

function runJest(config: string, args: string[], chosen: string[] = []): Run {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-results-'));
  const file = path.join(folder, 'results.json');
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const options = [
    ...chosen,
    '--config',
    path.join(REPOSITORY, config),
    '--passWithNoTests',
    '--json',
    '--outputFile',
    file,
  ];
  try {
    const { status } = spawnSync(process.execPath, [...node, JEST, ...options, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: config === CELLS ? { ...process.env, PARLEY_CELLS: '4' } : process.env,
    });
    return { results: readResults(file), exitCode: status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readResults(file: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Results;
  } catch {
    return undefined;
  }
}
