// Runs every test, or those that the arguments name as Jest's do. The last line says `N passed, N failed`; a run without
// a single test has failed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

type Results = { numPassedTests: number; numFailedTests: number; numRuntimeErrorTestSuites: number };

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const folder = mkdtempSync(path.join(tmpdir(), 'parley-results-'));
const resultsFile = path.join(folder, 'results.json');

// Jest hears Ctrl-C itself; this process stays for the last line.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const report = ['--json', `--outputFile=${resultsFile}`];
const { status } = spawnSync(process.execPath, [...flags, jest, ...report, ...process.argv.slice(2)], {
  stdio: ['ignore', 'ignore', 'inherit'],
});

const { passed, failed } = readResults();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(status === 0 && passed > 0 && failed === 0 ? 0 : 1);

// A test file that cannot be loaded counts as one failure, and so does a run that came to no end.
function readResults(): { passed: number; failed: number } {
  try {
    const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    return { passed: results.numPassedTests, failed: status !== 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
