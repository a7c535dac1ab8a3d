// Builds the client library, and has publint and attw check the packages as applications get them.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { REPOSITORY } from '../build/paths.ts';
import { buildLibrary, distOf, LIBRARIES } from '../library/build.ts';

let failures = 0;
for (const name of LIBRARIES) {
  await buildLibrary(name);
  const { messages, pkg } = await publint({ pkgDir: distOf(name), strict: true, pack: false });
  for (const message of messages) {
    process.stdout.write(`publint: ${name}: ${formatMessage(message, pkg) ?? message.code}\n`);
    failures++;
  }
  if (!areTypesRight(name)) failures++;
}
if (!areForBrowsers(['index', 'indexeddb', 'web-push', 'store-conformance'])) failures++;
process.exit(failures === 0 ? 0 : 1);

/** Packages have ES modules alone: that a CommonJS program has to import them by `import()` is no fault. */
function areTypesRight(name: string): boolean {
  const attw = path.join(REPOSITORY, 'node_modules/.bin/attw');
  const options = ['--pack', distOf(name), '--profile', 'esm-only', '--no-emoji', '--quiet'];
  const { status, stdout } = spawnSync(attw, options, { encoding: 'utf8' });
  if (status !== 0) {
    const { stdout: report } = spawnSync(attw, options.slice(0, -1), { encoding: 'utf8' });
    process.stdout.write(`attw: ${name}:\n${stdout}${report}\n`);
  }
  return status === 0;
}

/** Whether the types of these entries of the client need nothing but those of browsers, where an application checks them too. */
function areForBrowsers(entries: readonly string[]): boolean {
  const files = entries.map((entry) => path.join(distOf('client'), `${entry}.d.ts`));
  const options = ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const libraries = [
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,dom.iterable',
    '--typeRoots',
    distOf('client'),
  ];
  const tsc = path.join(REPOSITORY, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(tsc, [...options, ...libraries, ...files], { encoding: 'utf8' });
  if (status !== 0) process.stdout.write(`Types for browsers:\n${stdout}\n`);
  return status === 0;
}
