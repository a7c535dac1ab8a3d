import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { summarise, type Results, type Run } from './summary.ts';

const repository = path.resolve(import.meta.dirname, '../..');

function results(...titles: [status: string, fullName: string][]): Results {
  const assertionResults = titles.map(([status, fullName]) => ({ status, fullName }));
  const count = (wanted: string) => titles.filter(([status]) => status === wanted).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numRuntimeErrorTestSuites: 0,
    testResults: [{ name: 'a.test.ts', status: 'passed', startTime: 0, endTime: 1, assertionResults }],
  };
}

function run(given: Results | undefined, exitCode: number | null = 0): Run {
  return { results: given, exitCode };
}

test('what was skipped is said once for each reason, with the number of tests', () => {
  const noS3 = '[skipped: S3 tests (no Ceph: apt-get install ceph)]';
  const { skipped } = summarise([
    run(
      results(
        ['passed', 'a [skipped: nothing (it ran)]'],
        ['pending', `S3 ${noS3} works`],
        ['pending', 'the manifests [skipped: manifest tests (no kubectl)]'],
        ['pending', 'left out by a filter of names'],
      ),
    ),
    run(results(['pending', `S3 ${noS3} comes back ${noS3}`])),
  ]);
  expect(skipped).toEqual([
    'skipped: S3 tests, 2 tests (no Ceph: apt-get install ceph)',
    'skipped: manifest tests, 1 test (no kubectl)',
  ]);
});

test.each([
  ['a run without an end', undefined, null, 1],
  ['a failure', results(['failed', 'a'], ['passed', 'b']), 1, 1],
  ['a run that Jest calls failed without a failed test', results(['passed', 'b']), 1, 1],
  ['a file that cannot be loaded', { ...results(['passed', 'b']), numRuntimeErrorTestSuites: 2 }, 1, 2],
])('%s counts as failed', (_name, given, exitCode, failed) => {
  expect(summarise([run(given, exitCode)]).failed).toBe(failed);
});

test('what two runs passed and failed is added up', () => {
  const runs = [
    run(results(['passed', 'a'], ['failed', 'b']), 1),
    run(results(['passed', 'c'], ['failed', 'd'])),
  ];
  expect(summarise(runs)).toMatchObject({ passed: 2, failed: 2, skipped: [], unsteady: [] });
});

test('each failure has a line with its file, its name and how its message begins', () => {
  const message = `\u001b[31mError\u001b[39m:\n\n  ${'a'.repeat(300)}`;
  const failing = results(['failed', 'adds'], ['passed', 'b'], ['failed', 'subtracts']);
  Object.assign(failing.testResults[0]!.assertionResults[0]!, { failureMessages: [message] });
  const unloadable = { ...results(), testResults: [{ ...results().testResults[0]!, status: 'failed' }] };
  const runs = [run(failing, 1), run(unloadable, 1), run(results(['passed', 'c']), 1), run(undefined)];
  expect(summarise(runs, '').failures).toEqual([
    `failed: a.test.ts, adds: Error: ${'a'.repeat(153)}`,
    'failed: a.test.ts, subtracts: no message',
    'failed: a.test.ts, which could not be run',
    'failed: a run whose tests passed; its report says why',
    'failed: a run that came to no end',
  ]);
});

test('a run without tests beside another is no failure, two are one', () => {
  expect(summarise([run(results()), run(results(['passed', 'a']))])).toMatchObject({ passed: 1, failed: 0 });
  expect(summarise([run(results()), run(results())])).toMatchObject({ passed: 0, failed: 1 });
});

// In a run of its own, as a newcomer's machine has it.
test('without any optional program nothing fails, and the run says what it skipped', () => {
  const { PARLEY_TEST_FOLDER: _folder, JEST_WORKER_ID: _id, ...inherited } = process.env;
  const env = { ...inherited, PARLEY_TEST_S3: '', PARLEY_TEST_CONTAINERS: '' };
  const files = ['s3.test.ts', 'deploy/test/', 'services/content/test/limits'];
  const { stdout, status } = spawnSync(process.execPath, ['scripts/test.ts', ...files], {
    cwd: repository,
    env: { ...env, PARLEY_TEST_WITHOUT: 'all' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.at(-1)).toMatch(/^\d+ passed, 0 failed$/);
  expect(status).toBe(0);
  const skipped = lines.slice(0, -1).map((line) => line.replace(/, \d+ tests? \(.*/, ''));
  expect(skipped.sort()).toEqual([
    'skipped: S3 tests',
    'skipped: tests of a full disk',
    'skipped: tests of metrics and alert rules',
    'skipped: tests of the Kubernetes manifests',
    'skipped: tests of upgrades',
  ]);
}, 120_000);
