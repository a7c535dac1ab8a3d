// What every `npm run` command goes through. It needs nothing but Node 20 and npm: it brings pnpm, the packages, the
// generated code and the bundles up to date, then hands over to the workspace's own Node.
import { withLock } from './bootstrap/lock.mjs';
import { nodeBinary, inRepository } from './bootstrap/paths.mjs';
import { handOver } from './bootstrap/run.mjs';
import { buildSite } from './bootstrap/site.mjs';
import { build, generate, install } from './bootstrap/steps.mjs';

const commands = {
  start: { script: 'packages/stack/src/start.ts', steps: [install, generate, build] },
  test: { script: 'scripts/test.ts', steps: [install, generate, build] },
  fuzz: { script: 'lab/fuzz/main.ts', steps: [install, generate, build] },
  faults: { script: 'lab/faults/main.ts', steps: [install, generate, build] },
  upgrade: { script: 'lab/upgrade/main.ts', steps: [install, generate, build] },
  drill: { script: 'lab/drill/main.ts', steps: [install, generate, build] },
  model: { script: 'lab/model/main.ts', steps: [install, generate, build] },
  bench: { script: 'lab/load/main.ts', steps: [install, generate, build] },
  soak: { script: 'lab/soak/main.ts', steps: [install, generate, build] },
  baseline: { script: 'test/upgrade/baseline/main.ts', steps: [install, generate, build] },
  parley: { script: 'cli/dist/main.js', steps: [install, generate, build] },
  check: { script: 'scripts/check.ts', steps: [install, generate] },
  chat: { script: 'scripts/chat.ts', steps: [install, generate] },
  console: { script: 'scripts/console.ts', steps: [install, generate] },
  library: { script: 'scripts/library/main.ts', steps: [install] },
  sbom: { script: 'scripts/sbom.ts', steps: [install, generate, build, buildSite] },
  audit: { script: 'scripts/audit.ts', steps: [install] },
  scale: { script: 'lab/scale/main.ts', steps: [install] },
  release: { script: 'scripts/release.ts', steps: [install] },
  generate: { steps: [install, generate] },
  site: { steps: [install, generate], afterwards: buildSite },
};

async function main() {
  const [name, ...args] = process.argv.slice(2);
  const command = commands[name];
  if (!command) throw new Error(`Unknown command ${name}: there are ${Object.keys(commands).join(', ')}.`);
  requireNode(20);
  await withLock(inRepository('.parley', 'bootstrap.lock'), async () => {
    for (const step of command.steps) await step();
  });
  // Under a lock of its own: no other command waits for the documentation.
  if (command.afterwards) await withLock(inRepository('.parley', 'site.lock'), command.afterwards);
  if (command.script) await handOver(nodeBinary, [inRepository(command.script), ...args]);
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
