import path from 'node:path';

/** The part of Jest's `--json` output that the summary needs. */
export type Results = {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: FileResult[];
};

export type FileResult = {
  name: string;
  status: string;
  /** Start, in milliseconds since 1970. */
  startTime: number;
  endTime: number;
  assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
};

/**
 * A run of Jest; `results` is undefined when it came to no end. `unsteady`: the files that failed at first and passed when they ran
 * once more.
 */
export type Run = { results: Results | undefined; exitCode: number | null; unsteady?: string[] };

export type Summary = {
  passed: number;
  failed: number;
  /** A line for each requirement that was missing: what was skipped, how many tests, and what to install. */
  skipped: string[];
  /** A line for each file that passed only when it ran once more. */
  unsteady: string[];
  /** A line for each failure, since its report may be thousands of lines above. */
  failures: string[];
};

/** Characters of a failure's message in its line. */
const MESSAGE_LENGTH = 160;

/**
 * Sums up all runs. One failure counts for each test file that cannot be loaded, for each run that did not end or that Jest calls failed for another reason, and for runs without a single test.
 */
export function summarise(runs: Run[], folder = process.cwd()): Summary {
  const passed = sum(runs.map(({ results }) => results?.numPassedTests ?? 0));
  const failed = sum(runs.map(failuresOf));
  const skipped = skippedLines(runs);
  const unsteady = runs
    .flatMap((run) => run.unsteady ?? [])
    .map((file) => `unsteady: ${path.relative(folder, file)}`);
  const failures = runs.flatMap((run) => failureLines(run, folder));
  const isNothing = passed + failed + skipped.length === 0;
  return { passed, failed: isNothing ? 1 : failed, skipped, unsteady, failures };
}

function failureLines({ results, exitCode }: Run, folder: string): string[] {
  if (!results) return ['failed: a run that came to no end'];
  const lines = results.testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    const place = path.relative(folder, name);
    if (status === 'failed' && failed.length === 0) return [`failed: ${place}, which could not be run`];
    return failed.map(
      ({ fullName, failureMessages }) => `failed: ${place}, ${fullName}: ${beginningOf(failureMessages)}`,
    );
  });
  return lines.length === 0 && exitCode !== 0
    ? ['failed: a run whose tests passed; its report says why']
    : lines;
}

/** The first characters of the first message, in one line and without colours. */
function beginningOf([message = 'no message']: readonly string[] = []): string {
  // eslint-disable-next-line no-control-regex
  const plain = message.replaceAll(/\u001b\[\d+m/g, '').replaceAll(/\s+/g, ' ');
  return plain.trim().slice(0, MESSAGE_LENGTH);
}

function failuresOf({ results, exitCode }: Run): number {
  if (!results) return 1;
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  return exitCode !== 0 && failed === 0 ? 1 : failed;
}

// The titles come from `describeWith` and `testWith` in packages/testing/src/optional.ts.
function skippedLines(runs: Run[]): string[] {
  const counts = new Map<string, number>();
  const files = runs.flatMap(({ results }) => results?.testResults ?? []);
  for (const { status, fullName } of files.flatMap((file) => file.assertionResults)) {
    const [, reason] = /\[skipped: (.+?)\](?: |$)/.exec(fullName) ?? [];
    if (status === 'pending' && reason) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => {
    const [, tests, otherwise] = /^(.+?) \((.+)\)$/.exec(reason) ?? ['', reason, 'no reason given'];
    return `skipped: ${tests}, ${count} ${count === 1 ? 'test' : 'tests'} (${otherwise})`;
  });
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
