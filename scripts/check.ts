// All checks that do not run the code. A failed check does not stop the next ones.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { REPOSITORY } from './build/paths.ts';

type Check = { name: string; command: string; args: string[]; folder?: string };

const CHECKS: Check[] = [
  { name: 'Formatting', command: 'prettier', args: ['--check', '--log-level', 'warn', '.'] },
  { name: 'Types', command: 'tsc', args: ['-p', 'tsconfig.json'] },
  { name: 'Types of the client library', command: 'tsc', args: ['-p', 'packages/client'] },
  { name: 'Types of the hooks', command: 'tsc', args: ['-p', 'packages/react'] },
  { name: 'Types of the chat', command: 'tsc', args: ['-p', 'demo/chat'] },
  {
    name: 'Lint',
    command: 'eslint',
    args: ['--cache', '--cache-location', 'node_modules/.cache/eslint', '.'],
  },
  { name: 'Protocol', command: 'buf', args: ['lint'], folder: 'proto' },
  { name: 'AsyncAPI', command: process.execPath, args: ['scripts/check/asyncapi.ts'] },
  { name: 'Packages', command: process.execPath, args: ['scripts/check/packages.ts'] },
  { name: 'Compatibility', command: process.execPath, args: ['scripts/check/compatibility.ts'] },
];

const failed = CHECKS.filter(({ name, command, args, folder = '.' }) => {
  process.stdout.write(`${name} …\n`);
  const { status } = spawnSync(command, args, { cwd: path.join(REPOSITORY, folder), stdio: 'inherit' });
  return status !== 0;
});
if (failed.length > 0) process.stdout.write(`Failed: ${failed.map(({ name }) => name).join(', ')}\n`);
process.exit(failed.length === 0 ? 0 : 1);
