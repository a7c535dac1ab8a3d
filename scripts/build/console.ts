import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { globSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { withLock } from '../bootstrap/lock.mjs';
import { replace } from './bundle.ts';
import { describeInputs, inputsFile, isUpToDate } from './inputs.ts';
import { PACKAGES_FILE } from './packages.ts';
import { REPOSITORY } from './paths.ts';

/** The pages for operators and developers. */
export const CONSOLE = 'console';

/** Compressed once, and loaded often. */
const SMALLEST = { level: constants.Z_BEST_COMPRESSION };

const SCRIPTS = ['console.ts', 'call-facts.ts'].map((name) => path.join('scripts', 'build', name));
const SOURCES = [
  `${CONSOLE}/src/**/*.*`,
  `${CONSOLE}/public/*`,
  `${CONSOLE}/*.*`,
  'packages/client/src/{*,server/*}.ts',
  'packages/client/gen/*.ts',
  'proto/parley/**/*.proto',
];

/** Brings the built console up to date. Builds of several processes wait for each other. */
export function buildConsole(): Promise<void> {
  return withLock(path.join(REPOSITORY, '.parley', 'console.lock'), async () => {
    if (!isUpToDate(CONSOLE, 'index.html')) await bundleConsole();
  });
}

/**
 * Builds the console with Vite: `dist/index.html`, and `dist/assets` with files whose names hold a hash, each also compressed as
 * `.gz`. The page appears last, so that a gateway always finds all that it names; assets of the build before are deleted then.
 */
async function bundleConsole(): Promise<void> {
  const folder = path.join(REPOSITORY, CONSOLE);
  const draft = path.join(folder, 'dist', 'draft');
  const vite = path.join(folder, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = ['build', folder, '--outDir', draft, '--emptyOutDir', '--config', 'vite.config.mjs'];
  await promisify(execFile)(process.execPath, [vite, ...options], {
    cwd: folder,
    // Vite builds for what it finds here, and a test run says `test`.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await publish(draft, path.join(folder, 'dist'));
  await rm(draft, { recursive: true, force: true });
  const inputs = globSync(SOURCES, { cwd: REPOSITORY }).filter((file) => !file.includes('node_modules'));
  await replace(inputsFile(CONSOLE), JSON.stringify(describeInputs([...inputs, ...SCRIPTS]), null, 1));
}

async function publish(draft: string, dist: string): Promise<void> {
  await mkdir(path.join(dist, 'assets'), { recursive: true });
  const old = await readdir(path.join(dist, 'assets'));
  const names = await readdir(path.join(draft, 'assets'));
  for (const name of names) {
    const contents = await readFile(path.join(draft, 'assets', name));
    await replace(path.join(dist, 'assets', name), contents);
    await replace(path.join(dist, 'assets', `${name}.gz`), await promisify(gzip)(contents, SMALLEST));
  }
  await cp(path.join(draft, 'icon.svg'), path.join(dist, 'icon.svg'));
  await cp(path.join(draft, PACKAGES_FILE), path.join(dist, PACKAGES_FILE));
  await replace(path.join(dist, 'index.html'), await readFile(path.join(draft, 'index.html')));
  const outdated = old.filter((name) => !names.includes(name.replace(/\.(gz|new)$/, '')));
  for (const name of outdated) await rm(path.join(dist, 'assets', name), { force: true });
}
