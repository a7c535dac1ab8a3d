/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/\\.parley/'],
  modulePathIgnorePatterns: ['/dist/', '/\\.parley/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  moduleNameMapper: { '^fast-check$': '<rootDir>/scripts/jest/fast-check.js' },
  globalSetup: './packages/stack/src/testing/jest-setup.ts',
  testTimeout: 30_000,
  // One file at a time: platforms that start side by side may pick the same free port, and figures of one test disturb another.
  maxWorkers: 1,
};
