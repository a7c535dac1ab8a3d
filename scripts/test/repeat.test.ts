import { filesToRepeat, MAX_UNSTEADY, withRepetition } from './repeat.ts';
import { summarise, type FileResult, type Run } from './summary.ts';

function file(name: string, ...statuses: string[]): FileResult {
  const assertionResults = statuses.map((status) => ({ status, fullName: status }));
  const status = statuses.every((one) => one === 'passed') && statuses.length > 0 ? 'passed' : 'failed';
  return { name, status, startTime: 0, endTime: 1, assertionResults };
}

function run(...testResults: FileResult[]): Run {
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (wanted: string) => statuses.filter(({ status }) => status === wanted).length;
  const notRun = testResults.filter(({ assertionResults }) => assertionResults.length === 0).length;
  const results = {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numRuntimeErrorTestSuites: notRun,
    testResults,
  };
  return { results, exitCode: testResults.some(({ status }) => status === 'failed') ? 1 : 0 };
}

function summaryOf(...runs: Run[]) {
  const { passed, failed, unsteady } = summarise(runs, '/');
  return { passed, failed, unsteady };
}

test('the files that failed or could not be loaded are repeated, and no others', () => {
  const first = run(file('/a', 'passed'), file('/b', 'passed', 'failed'), file('/c'));
  expect(filesToRepeat([first], first)).toEqual(['/b', '/c']);
});

test('a file that passes at its repetition counts as passed, and is named', () => {
  const first = run(file('/a', 'passed'), file('/b', 'passed', 'failed'), file('/c'));
  const settled = ['/b', '/c'].reduce(
    (before, name) => withRepetition(before, name, run(file(name, 'passed', 'passed'))),
    first,
  );
  expect(summaryOf(settled)).toEqual({ passed: 5, failed: 0, unsteady: ['unsteady: b', 'unsteady: c'] });
});

test.each([
  ['fails again', run(file('/b', 'failed', 'passed'))],
  ['cannot be loaded', run(file('/b'))],
  ['does not run', run()],
  ['comes to no end', { results: undefined, exitCode: null }],
  ['passes in a run that Jest calls failed', { ...run(file('/b', 'passed', 'passed')), exitCode: 1 }],
])('a file that %s at its repetition counts as it did', (_name, repetition) => {
  const first = run(file('/a', 'passed'), file('/b', 'passed', 'failed'));
  const settled = withRepetition(first, '/b', repetition);
  expect(summaryOf(settled)).toEqual({ passed: 2, failed: 1, unsteady: [] });
});

test('a file that passes at its repetition hides no other failure', () => {
  const first = run(file('/a', 'failed'), file('/b', 'failed'));
  const settled = withRepetition(first, '/b', run(file('/b', 'passed')));
  expect(summaryOf(settled)).toEqual({ passed: 1, failed: 1, unsteady: ['unsteady: b'] });
});

test('more files than may be unsteady are not repeated', () => {
  const names = Array.from({ length: MAX_UNSTEADY }, (_, index) => `/${index}`);
  const most = run(...names.map((name) => file(name, 'failed')));
  expect(filesToRepeat([most], most)).toEqual(names);
  expect(filesToRepeat([most, run(file('/more', 'failed'))], most)).toEqual([]);
});
