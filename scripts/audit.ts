// Asks the registry for known vulnerabilities of the packages that Parley needs to run: `npm run check -- audit`. Ends with 1 when there are
// some, and with 2 when the registry does not answer such questions, as mirrors often do not.
import { spawnSync } from 'node:child_process';
import { pnpm } from './bootstrap/steps.mjs';
import { REPOSITORY } from './build/paths.ts';
import { describeAudit } from './audit/describe.ts';

const [command = '', ...args] = pnpm();
const { stdout, stderr } = spawnSync(command, [...args, 'audit', '--prod', '--json'], {
  cwd: REPOSITORY,
  encoding: 'utf8',
});
const { lines, exitCode } = describeAudit(stdout, stderr);
for (const line of lines) process.stdout.write(`${line}\n`);
process.exit(exitCode);
