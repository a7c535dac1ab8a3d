// Runs every test, or those that the arguments name as Jest's do. At its end it says what was skipped since an optional
// program is missing; the last line says `N passed, N failed`. A run without a single test has failed;
// one whose tests were all skipped for that reason has not.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { summarise, type Results } from './test/summary.ts';

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const folder = mkdtempSync(path.join(tmpdir(), 'parley-results-'));
const resultsFile = path.join(folder, 'results.json');

// Jest handles Ctrl-C itself; this process goes on to print the last line.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const report = ['--json', `--outputFile=${resultsFile}`];
const { status } = spawnSync(process.execPath, [...flags, jest, ...report, ...process.argv.slice(2)], {
  stdio: ['ignore', 'ignore', 'inherit'],
});

const { passed, failed, skipped } = summarise(readResults(), status);
rmSync(folder, { recursive: true, force: true });
for (const line of skipped) process.stdout.write(`${line}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(status === 0 && passed + skipped.length > 0 && failed === 0 ? 0 : 1);

function readResults(): Results | undefined {
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
  } catch {
    return undefined;
  }
}
