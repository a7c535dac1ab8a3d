// All checks that do not run the code, two at a time. A failed check does not stop the others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { REPOSITORY } from './build/paths.ts';

type Check = { name: string; command: string; args: string[]; folder?: string };

/** Checks, those that take longest first. */
const CHECKS: readonly Check[] = [
  {
    name: 'Lint',
    command: 'eslint',
    args: ['--cache', '--cache-location', 'node_modules/.cache/eslint', '.'],
  },
  { name: 'Types', command: 'tsc', args: ['-p', 'tsconfig.json'] },
  { name: 'Formatting', command: 'prettier', args: ['--check', '--log-level', 'warn', '.'] },
  { name: 'Packages', command: process.execPath, args: ['scripts/check/packages.ts'] },
  { name: 'Types of the client library', command: 'tsc', args: ['-p', 'packages/client'] },
  { name: 'Types of the hooks', command: 'tsc', args: ['-p', 'packages/react'] },
  { name: 'Types of the starter', command: 'tsc', args: ['-p', 'packages/create'] },
  { name: 'Types of the components', command: 'tsc', args: ['-p', 'packages/react-ui'] },
  { name: 'Types of the chat', command: 'tsc', args: ['-p', 'demo/chat'] },
  { name: 'Types of the console', command: 'tsc', args: ['-p', 'console'] },
  { name: 'Compatibility', command: process.execPath, args: ['scripts/check/compatibility.ts'] },
  { name: 'Licenses', command: process.execPath, args: ['scripts/check/licenses.ts'] },
  { name: 'OpenAPI', command: process.execPath, args: ['scripts/check/openapi.ts'] },
  { name: 'AsyncAPI', command: process.execPath, args: ['scripts/check/asyncapi.ts'] },
  { name: 'Protocol', command: 'buf', args: ['lint'], folder: 'proto' },
];
const AT_ONCE = 2;

const waiting = [...CHECKS];
const failed: string[] = [];
await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(', ')}\n`);
process.exit(failed.length === 0 ? 0 : 1);

async function runWaiting(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const { output, isPassed } = await run(check);
    process.stdout.write(`${check.name} ${isPassed ? 'passed' : 'failed'}\n${output}`);
    if (!isPassed) failed.push(check.name);
  }
}

/** Runs a check. Its output is shown at its end, so that the outputs of two do not mix. */
async function run({ command, args, folder = '.' }: Check): Promise<{ output: string; isPassed: boolean }> {
  const cwd = path.join(REPOSITORY, folder);
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (chunk: Buffer) => chunks.push(chunk));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { output: Buffer.concat(chunks).toString(), isPassed: code === 0 };
  } catch (error) {
    return { output: `${String(error)}\n`, isPassed: false };
  }
}
