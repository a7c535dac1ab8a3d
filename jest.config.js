/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // The others follow: see scripts/jest/alone.config.js.
  testMatch: ['**/!(*.alone).test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/\\.parley/'],
  modulePathIgnorePatterns: ['/dist/', '/\\.parley/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  moduleNameMapper: { '^fast-check$': '<rootDir>/scripts/jest/fast-check.js' },
  globalSetup: './packages/testing/src/jest-setup.ts',
  globalTeardown: './packages/testing/src/jest-teardown.ts',
  reporters: ['default', './scripts/jest/statements.ts'],
  testTimeout: 120_000,
  // Most of a file's time is waiting. What two files share they do not disturb: see packages/testing/src/index.ts.
  maxWorkers: 2,
  // What the modules of hundreds of files leave behind.
  workerIdleMemoryLimit: '1500MB',
};
