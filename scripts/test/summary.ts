/** The part of Jest's `--json` output that the summary needs. */
export type Results = {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
};

export type Summary = {
  passed: number;
  failed: number;
  /** A line for each requirement that was missing: what was skipped, how many tests, and what to install. */
  skipped: string[];
};

/**
 * A test file that cannot be loaded counts as one failure, and so does a run that came to no end (`results` undefined) or
 * that Jest calls failed for another reason.
 */
export function summarise(results: Results | undefined, exitCode: number | null): Summary {
  if (!results) return { passed: 0, failed: 1, skipped: [] };
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  return {
    passed: results.numPassedTests,
    failed: exitCode !== 0 && failed === 0 ? 1 : failed,
    skipped: skippedLines(results),
  };
}

// The titles come from `describeWith` and `testWith` in packages/stack/src/testing/optional.ts.
function skippedLines({ testResults }: Results): string[] {
  const counts = new Map<string, number>();
  for (const { status, fullName } of testResults.flatMap((file) => file.assertionResults)) {
    const [, reason] = /\[skipped: (.+?)\](?: |$)/.exec(fullName) ?? [];
    if (status === 'pending' && reason) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => {
    const [, tests, otherwise] = /^(.+?) \((.+)\)$/.exec(reason) ?? ['', reason, 'no reason given'];
    return `skipped: ${tests}, ${count} ${count === 1 ? 'test' : 'tests'} (${otherwise})`;
  });
}
