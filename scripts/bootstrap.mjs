// What every `npm run` command goes through. It needs nothing but Node 20 and npm: it brings pnpm, the packages, the
// generated code and the bundles up to date, then hands over to the workspace's own Node.
import { findCommand } from './bootstrap/commands.mjs';
import { withLock } from './bootstrap/lock.mjs';
import { nodeBinary, inRepository } from './bootstrap/paths.mjs';
import { handOver } from './bootstrap/run.mjs';

async function main() {
  const { command, words } = findCommand(process.argv.slice(2));
  requireNode(20);
  await withLock(inRepository('.parley', 'bootstrap.lock'), async () => {
    for (const step of command.steps) await step();
  });
  // Under a lock of its own: no other command waits for the documentation.
  if (command.afterwards) await withLock(inRepository('.parley', 'site.lock'), command.afterwards);
  if (command.script) await handOver(nodeBinary, [inRepository(command.script), ...words]);
}

function requireNode(major) {
  if (Number(process.versions.node.split('.')[0]) >= major) return;
  throw new Error(`Node ${major} or newer is needed to begin with; this is ${process.version}.`);
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  // What comes before the tests has failed: their last line says so all the same.
  if (process.argv[2] === 'test') process.stdout.write('0 passed, 1 failed\n');
  process.exit(1);
});
