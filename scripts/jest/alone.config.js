import others from '../../jest.config.js';

/** @type {import('jest').Config} Tests whose limits are times: they run after all others, one file at a time. */
export default {
  ...others,
  rootDir: '../..',
  testMatch: ['**/*.alone.test.ts'],
  maxWorkers: 1,
};
