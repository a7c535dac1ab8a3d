import { refusalsOf } from './nats.ts';
import { processFolder } from './folder.ts';
import path from 'node:path';

/** Jest's globalTeardown: fails the run when NATS refused something to a process of the platform that the tests share. */
export default function tearDown(): void {
  const refusals = refusalsOf(path.join(processFolder(), 'platform', 'logs', 'nats.log'));
  if (refusals.length > 0)
    throw new Error(`NATS refused what a process of the platform did:\n${refusals.join('\n')}`);
}
