import type { FileResult, Results, Run } from './summary.ts';

/** Files that may fail by accident on a busy machine; if more fail, no file is repeated, or passes by a repetition. */
export const MAX_UNSTEADY = 3;

/** The files of a run that failed, unless all runs together have more than MAX_UNSTEADY of them. */
export function filesToRepeat(runs: readonly Run[], run: Run): string[] {
  return runs.flatMap(failedFiles).length > MAX_UNSTEADY ? [] : failedFiles(run);
}

/**
 * The run with the results of a file's repetition in place of the first ones, if the file passes now; else the run as it was.
 */
export function withRepetition(run: Run, file: string, repetition: Run): Run {
  const second = repetition.results?.testResults.find(({ name }) => name === file);
  const { results } = run;
  if (!results || !second || repetition.exitCode !== 0 || hasFailed(second)) return run;
  const replaced = countAgain(results.testResults.map((first) => (first.name === file ? second : first)));
  const unsteady = [...(run.unsteady ?? []), file];
  return { results: replaced, exitCode: replaced.testResults.some(hasFailed) ? run.exitCode : 0, unsteady };
}

function failedFiles({ results }: Run): string[] {
  return (results?.testResults ?? []).filter(hasFailed).map(({ name }) => name);
}

function hasFailed({ status }: FileResult): boolean {
  return status === 'failed';
}

function countAgain(testResults: FileResult[]): Results {
  const statuses = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  );
  return {
    numPassedTests: statuses.filter((status) => status === 'passed').length,
    numFailedTests: statuses.filter((status) => status === 'failed').length,
    numRuntimeErrorTestSuites: testResults.filter(couldNotRun).length,
    testResults,
  };
}

function couldNotRun(result: FileResult): boolean {
  return hasFailed(result) && !result.assertionResults.some(({ status }) => status === 'failed');
}
