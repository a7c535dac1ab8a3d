// Builds what the platform hands out, and has publint and attw check the packages as applications get them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { REPOSITORY } from '../build/paths.ts';
import { LIBRARIES } from '../library/build.ts';
import { packLibrary } from '../library/pack.ts';

/** Entries of the client that browsers load. */
const BROWSER_ENTRIES = ['index', 'indexeddb', 'lean', 'react-native', 'web-push', 'store-conformance'];

const folder = mkdtempSync(path.join(tmpdir(), 'parley-packages-'));
let failures = 0;
try {
  await packLibrary(folder);
  for (const name of [...LIBRARIES, 'create', 'cli']) failures += await countFaults(name);
  for (const name of LIBRARIES) if (!areTypesRight(name)) failures++;
  if (!areForBrowsers()) failures++;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

function tarballOf(name: string): string {
  return path.join(folder, `${name}.tgz`);
}

/** Publint's complaints about a package, which are printed. */
async function countFaults(name: string): Promise<number> {
  const { buffer } = new Uint8Array(readFileSync(tarballOf(name)));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  for (const message of messages)
    process.stdout.write(`publint: ${name}: ${formatMessage(message, pkg) ?? message.code}\n`);
  return messages.length;
}

/** Packages have ES modules alone: that a CommonJS program has to import them by `import()` is no fault. */
function areTypesRight(name: string): boolean {
  const attw = path.join(REPOSITORY, 'node_modules/.bin/attw');
  const options = [tarballOf(name), '--profile', 'esm-only', '--no-emoji', '--quiet'];
  const { status, stdout } = spawnSync(attw, options, { encoding: 'utf8' });
  if (status !== 0) {
    const { stdout: report } = spawnSync(attw, options.slice(0, -1), { encoding: 'utf8' });
    process.stdout.write(`attw: ${name}:\n${stdout}${report}\n`);
  }
  return status === 0;
}

/** Whether the types of the client's entries need nothing but those of browsers, where an application checks them too. */
function areForBrowsers(): boolean {
  spawnSync('tar', ['-xzf', tarballOf('client'), '-C', folder]);
  const unpacked = path.join(folder, 'package');
  const files = BROWSER_ENTRIES.map((entry) => path.join(unpacked, `${entry}.d.ts`));
  const options = ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const libraries = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--typeRoots', unpacked];
  const tsc = path.join(REPOSITORY, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(tsc, [...options, ...libraries, ...files], { encoding: 'utf8' });
  if (status !== 0) process.stdout.write(`Types for browsers:\n${stdout}\n`);
  return status === 0;
}
