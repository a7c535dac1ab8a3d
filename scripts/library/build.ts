// Builds the client library as it is published: packages/<name>/dist is a package with JavaScript, declarations and its own
// package.json, which `npm pack packages/<name>/dist` turns into a tarball.
import { mkdirSync, readFileSync, rmSync, writeFileSync, copyFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { REPOSITORY } from '../build/paths.ts';

type Manifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  exports: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

/** The packages that applications install, each after those that it imports. */
export const LIBRARIES = ['client', 'react'];

/** The folder of a package as it is published. */
export function distOf(name: string): string {
  return path.join(REPOSITORY, 'packages', name, 'dist');
}

/** Builds one package. */
export async function buildLibrary(name: string): Promise<void> {
  const folder = path.join(REPOSITORY, 'packages', name);
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  const dist = distOf(name);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const entries = Object.fromEntries(
    Object.entries(manifest.exports).map(([key, file]) => [entryOf(key), path.join(folder, file)]),
  );
  // Backends apart from browsers, whose entries would take the records from theirs, and with them the types of Node.
  const isServer = ([key]: [string, string]) => key === 'server';
  const all = Object.entries(entries);
  const declared = [all.filter((entry) => !isServer(entry)), all.filter(isServer)].filter(
    ({ length }) => length > 0,
  );
  await Promise.all([
    emitJavaScript(entries, dist),
    ...declared.map((some) => emitDeclarations(Object.fromEntries(some), { folder, dist })),
  ]);
  writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
  copyFileSync(path.join(folder, 'README.md'), path.join(dist, 'README.md'));
  copyFileSync(path.join(REPOSITORY, 'LICENSE'), path.join(dist, 'LICENSE'));
}

/** `.` is `index`, `./store/conformance` is `store-conformance`. */
function entryOf(key: string): string {
  return key === '.' ? 'index' : key.slice(2).replaceAll('/', '-');
}

async function emitJavaScript(entries: Record<string, string>, dist: string): Promise<void> {
  await build({
    entryPoints: entries,
    outdir: dist,
    bundle: true,
    // Entries share what both have, such as the class of errors.
    splitting: true,
    chunkNames: 'shared-[hash]',
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    sourcemap: true,
    external: ['node:*', 'react', '@parley/client'],
    logLevel: 'error',
  });
}

/** Writes one file for each entry, with the types of packages that are not published in it. */
async function emitDeclarations(
  entries: Record<string, string>,
  { folder, dist }: { folder: string; dist: string },
): Promise<void> {
  const bundle = await rollup({
    input: entries,
    external: [/^node:/, 'react', '@parley/client'],
    plugins: [dts({ tsconfig: path.join(folder, 'tsconfig.json'), respectExternal: true })],
  });
  await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'shared-[hash].d.ts',
  });
  await bundle.close();
}

function published({ name, version, description, license, exports, ...manifest }: Manifest): object {
  const targets = Object.keys(exports).map((key) => {
    const entry = entryOf(key);
    return [key, { types: `./${entry}.d.ts`, default: `./${entry}.js` }];
  });
  return {
    ...{ name, version, description, license, type: 'module', sideEffects: false },
    exports: { ...Object.fromEntries(targets), './package.json': './package.json' },
    ...(manifest.dependencies && { dependencies: withVersion(manifest.dependencies, version) }),
    ...(manifest.peerDependencies && { peerDependencies: manifest.peerDependencies }),
    engines: { node: '>=22' },
  };
}

/** Packages of this repository are published together. */
function withVersion(dependencies: Record<string, string>, version: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, wanted]) => [
      name,
      wanted.startsWith('workspace:') ? version : wanted,
    ]),
  );
}
