import path from 'node:path';
import { readConfig } from './config.ts';
import { refusalsOf } from './nats.ts';

/** Jest's globalTeardown: fails the run when NATS refused something to a process of the platform that the tests share. */
export default function tearDown(): void {
  const { testFolder } = readConfig();
  if (testFolder === undefined) return;
  const refusals = refusalsOf(path.join(testFolder, 'platform', 'logs', 'nats.log'));
  if (refusals.length > 0)
    throw new Error(`NATS refused what a process of the platform did:\n${refusals.join('\n')}`);
}
