// Builds the packages that applications import: JavaScript, declarations and a package.json of their own.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { REPOSITORY } from '../build/paths.ts';
import { describePackage, readManifest, type Manifest } from './manifest.ts';

/** The packages that applications import, each after those that it imports. */
export const LIBRARIES = ['client', 'react', 'react-ui'];

/** Builds the package of a name into the folder `dist`, which is emptied before. */
export async function buildLibrary(name: string, dist: string): Promise<void> {
  const folder = path.join(REPOSITORY, 'packages', name);
  const manifest = readManifest(folder);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const all = Object.entries(manifest.exports).map(([key, file]): [string, string] => [
    entryOf(key),
    path.join(folder, file),
  ]);
  const isStyle = ([key]: [string, string]) => key.endsWith('.css');
  const modules = all.filter((entry) => !isStyle(entry));
  // Backends apart from browsers, whose entries would take the records from theirs, and with them the types of Node.
  const isServer = ([key]: [string, string]) => key === 'server';
  const declared = [modules.filter((entry) => !isServer(entry)), modules.filter(isServer)].filter(
    ({ length }) => length > 0,
  );
  await Promise.all([
    emitJavaScript(Object.fromEntries(modules), dist),
    ...all.filter(isStyle).map(([name, file]) => emitStyle(file, path.join(dist, name))),
    ...declared.map((some) => emitDeclarations(Object.fromEntries(some), { folder, dist })),
  ]);
  writePackage(folder, { manifest: describeLibrary(manifest), dist });
}

/** Writes package.json, README and license of a package. */
export function writePackage(folder: string, { manifest, dist }: { manifest: object; dist: string }): void {
  writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
  for (const [, image = ''] of readme.matchAll(IMAGE))
    copyFileSync(path.join(folder, image), path.join(dist, path.basename(image)));
  const own = readme.replace(IMAGE, (link, image: string) => link.replace(image, path.basename(image)));
  writeFileSync(path.join(dist, 'README.md'), own.replace(LINK_OUT, '$1'));
  copyFileSync(path.join(REPOSITORY, 'LICENSE'), path.join(dist, 'LICENSE'));
}

/** An image of the repository, which the package takes along. */
const IMAGE = /!\[[^\]]*\]\((\.\.\/[^)]+)\)/g;
/** A link to a document of the repository, of which the text remains. */
const LINK_OUT = /(?<!!)\[([^\]]+)\]\(\.\.\/[^)]+\)/g;

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
    jsx: 'automatic',
    external: ['node:*', ...PEERS],
    logLevel: 'error',
  });
}

/** Packages that a published one imports from those beside it. */
const PEERS = ['react', 'react-dom', '@parley/client', '@parley/react'];

async function emitStyle(file: string, target: string): Promise<void> {
  const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'css' });
  writeFileSync(target, code);
  // Compilers want to know what a program imports.
  writeFileSync(typesOf(target), 'export {};\n');
}

/** `style.css` has its types in `style.css.d.ts`. */
function typesOf(style: string): string {
  return `${style}.d.ts`;
}

/** Writes one file for each entry, with the types of packages that are not published in it. */
async function emitDeclarations(
  entries: Record<string, string>,
  { folder, dist }: { folder: string; dist: string },
): Promise<void> {
  const bundle = await rollup({
    input: entries,
    external: [/^node:/, /^react(\/|$)/, ...PEERS],
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

function describeLibrary(manifest: Manifest): object {
  const targets = Object.keys(manifest.exports).map((key) => {
    const entry = entryOf(key);
    if (key.endsWith('.css')) return [key, { types: typesOf(key), default: key }];
    return [key, { types: `./${entry}.d.ts`, default: `./${entry}.js` }];
  });
  return {
    ...describePackage(manifest),
    sideEffects: manifest.sideEffects ?? false,
    exports: { ...Object.fromEntries(targets), './package.json': './package.json' },
    ...peersOf(manifest),
  };
}

/**
 * Other packages as peers. Our own are optional ones of any version, which stand in `peerDependenciesMeta` alone: with a version npm would
 * ask its registry for them when the other tarball is missing, where the scope `@parley` may belong to somebody else.
 */
function peersOf({ dependencies = {}, peerDependencies }: Manifest): object {
  // Other dependencies are in the bundle.
  const names = Object.keys(dependencies).filter((name) => name.startsWith('@parley/'));
  const own = names.map((name) => [name, { optional: true }]);
  return {
    ...(peerDependencies && { peerDependencies }),
    ...(own.length > 0 && { peerDependenciesMeta: Object.fromEntries(own) }),
  };
}
