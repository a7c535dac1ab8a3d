import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { REPOSITORY } from '../build/paths.ts';
import { BROWSER_MODULES, buildBrowserModule } from './browser.ts';
import { buildLibrary, LIBRARIES } from './build.ts';
import { buildCli, bundleCli } from './cli.ts';
import { buildCreate } from './create.ts';
import { readManifest } from './manifest.ts';

/** A file that the platform hands out. `integrity`: its hash, as browsers and lock files name it. */
type Listed = { name: string; bytes: number; integrity: string };

/** The tarballs that an application of the starter begins with. */
const STARTER = ['client.tgz', 'react.tgz'];

/** The list of the files, beside them. */
const LISTING = 'library.json';

/** Builds everything that the platform hands out into a folder. Fails with an Error if `npm` cannot be run. */
export async function packLibrary(folder: string): Promise<void> {
  const work = mkdtempSync(path.join(tmpdir(), 'parley-library-'));
  mkdirSync(folder, { recursive: true });
  try {
    await Promise.all(LIBRARIES.map((name) => buildLibrary(name, path.join(work, name))));
    const tarballs = LIBRARIES.map((name) => pack(path.join(work, name), path.join(folder, `${name}.tgz`)));
    const taken = tarballs.filter((file) => STARTER.includes(path.basename(file)));
    await buildCreate(path.join(work, 'create'), taken);
    pack(path.join(work, 'create'), path.join(folder, 'create.tgz'));
    await bundleCli();
    buildCli(path.join(work, 'cli'));
    pack(path.join(work, 'cli'), path.join(folder, 'cli.tgz'));
    await Promise.all(Object.keys(BROWSER_MODULES).map((name) => buildBrowserModule(name, folder)));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const names = [
    ...LIBRARIES.map((name) => `${name}.tgz`),
    'create.tgz',
    ...Object.keys(BROWSER_MODULES),
    'cli.tgz',
  ];
  const { version } = readManifest(path.join(REPOSITORY, 'packages', 'client'));
  const files = names.map((name) => describeFile(folder, name));
  writeFileSync(path.join(folder, LISTING), `${JSON.stringify({ version, files }, null, 1)}\n`);
}

/** Makes the tarball of a package, as `npm publish` does. The same files give the same bytes. */
function pack(dist: string, target: string): string {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', path.dirname(dist), dist];
  const output = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename }] = JSON.parse(output) as [{ filename: string }];
  // Older ones name the scope with a slash.
  const packed = path.join(path.dirname(dist), filename.replace('@', '').replace('/', '-'));
  rmSync(target, { force: true });
  writeFileSync(`${target}.new`, readFileSync(packed));
  renameSync(`${target}.new`, target);
  return target;
}

function describeFile(folder: string, name: string): Listed {
  const bytes = readFileSync(path.join(folder, name));
  const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  return { name, bytes: bytes.length, integrity };
}
