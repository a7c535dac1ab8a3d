import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { GlobalConfig } from 'jest';
import { readConfig } from '../../packages/testing/src/config.ts';

/** Ending of test files that run by scripts/jest/alone.config.js. */
const ALONE = 'alone.test.ts';

/** The part of Jest's results that it needs. */
type Results = {
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  wasInterrupted?: boolean;
  testResults: { testFilePath: string }[];
};

/**
 * A reporter of Jest's. Fails the run when a service sent a statement to the platform that the system tests share which names no
 * application, and which is not listed as one that runs across applications.
 * docs/decisions/database.md#statements-name-their-application
 */
export default class StatementsReporter {
  readonly #run: GlobalConfig;
  #error: Error | undefined;

  constructor(run: GlobalConfig) {
    this.#run = run;
  }

  async onRunComplete(_contexts: unknown, results: Results): Promise<void> {
    try {
      await judgeStatements(isComplete(this.#run, results));
    } catch (error) {
      this.#error = error instanceof Error ? error : new Error(String(error));
      process.stderr.write(`${this.#error.message}\n`);
    }
  }

  /** Jest calls a run with such an error failed. */
  getLastError(): Error | undefined {
    return this.#error;
  }
}

async function judgeStatements(isComplete: boolean): Promise<void> {
  const postgresUrl = readPostgresUrl();
  // In cells the services send the same statements.
  if (postgresUrl === undefined || process.env.PARLEY_CELLS) return;
  // The parser is loaded by runs with a platform alone.
  const { judge } = await import('../../deploy/test/statements/judge.ts');
  const { readRecorded } = await import('../../deploy/test/statements/recorded.ts');
  const { counts, faults } = await judge(await readRecorded(postgresUrl), { isComplete });
  const routes = [...counts].map(([route, count]) => `${count} ${route}`).sort();
  process.stderr.write(
    `Statements that the services sent, by the applications that they name: ${routes.join(', ')}\n`,
  );
  if (faults.length > 0)
    throw new Error(`Statements against the rules of deploy/test/statements:\n${faults.join('\n')}`);
}

/** Address of the platform's Postgres that the tests of this run shared; undefined if no test asked for a platform. */
function readPostgresUrl(): string | undefined {
  const { testFolder } = readConfig();
  if (testFolder === undefined) return undefined;
  try {
    const described = readFileSync(path.join(testFolder, 'platform.url'), 'utf8');
    return (JSON.parse(described) as { postgresUrl: string }).postgresUrl;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether all tests that run beside others have run and passed. */
function isComplete(run: GlobalConfig, results: Results): boolean {
  const { testPathPatterns, testNamePattern, onlyChanged, onlyFailures, shard } = run;
  const isChosen =
    testPathPatterns.patterns.length > 0 || testNamePattern !== undefined || shard !== undefined;
  const isAlone = results.testResults.some(({ testFilePath }) => testFilePath.endsWith(ALONE));
  const hasPassed =
    results.numFailedTests + results.numRuntimeErrorTestSuites === 0 && !results.wasInterrupted;
  return hasPassed && !isChosen && !onlyChanged && !onlyFailures && !isAlone;
}
