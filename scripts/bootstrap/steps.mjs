import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { hashFiles, isStamped, listFiles, stamp } from './hash.mjs';
import { inRepository, nodeBinary } from './paths.mjs';
import { run } from './run.mjs';

function step(text) {
  process.stderr.write(`${text} …\n`);
}

/** The packages of the lockfile, Node among them. */
export function install() {
  const manifests = [
    'packages',
    'services',
    'proto',
    'gateway',
    'cli',
    'demo',
    'console',
    'lab',
    'test',
  ].flatMap((folder) => listFiles(inRepository(folder), (name) => name === 'package.json'));
  const root = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc'].map((name) =>
    inRepository(name),
  );
  const hash = hashFiles([...root, ...manifests]);
  const stampFile = inRepository('node_modules', '.cache', 'parley', 'install');
  if (existsSync(nodeBinary) && isStamped(stampFile, hash)) return;
  step('Installing packages');
  const [command, ...args] = pnpm();
  run(command, [...args, 'install', '--frozen-lockfile', '--reporter=append-only'], { env: { CI: 'true' } });
  stamp(stampFile, hash);
}

// The pinned version: the installed one, else npm fetches it.
export function pnpm() {
  const { packageManager } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'));
  const version = packageManager.split('@')[1];
  try {
    if (run('pnpm', ['--version']).trim() === version) return ['pnpm'];
  } catch {
    // Not there: npx brings it.
  }
  return ['npx', '--yes', `pnpm@${version}`];
}

/** proto/gen appears by a rename, so that no process sees half of it. */
export function generate() {
  const folder = inRepository('proto');
  const sources = listFiles(folder, (name) => /\.(proto|yaml)$/.test(name));
  const hash = hashFiles([...sources, inRepository('package.json')]);
  const target = inRepository('proto', 'gen');
  const stampFile = inRepository('node_modules', '.cache', 'parley', 'generate');
  if (existsSync(target) && isStamped(stampFile, hash)) return;
  step('Generating code');
  const draft = inRepository('proto', 'gen.new');
  rmSync(draft, { recursive: true, force: true });
  run('buf', ['generate', '--output', draft], { cwd: folder });
  run(nodeBinary, [inRepository('scripts', 'protocol', 'check-calls.mjs'), path.join(draft, 'gen')]);
  rmSync(target, { recursive: true, force: true });
  renameSync(inRepository('proto', 'gen.new', 'gen'), target);
  rmSync(draft, { recursive: true, force: true });
  stamp(stampFile, hash);
}

/** Builds bundles that are out of date, and names them. */
export function build() {
  run(nodeBinary, [inRepository('scripts', 'build.ts')], { show: true });
}
