import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import { replace } from './bundle.ts';
import { describeInputs, inputsFile } from './inputs.ts';
import { REPOSITORY } from './paths.ts';

/** The chat of the demonstration application. */
export const CHAT = path.join('demo', 'chat');

const PAGE = path.join(CHAT, 'index.html');
const SCRIPT = path.join('scripts', 'build', 'chat.ts');

/** Files that a page loads, under names with a hash of each file. */
const PAGE_ENTRIES: BuildOptions = {
  entryPoints: [path.join(CHAT, 'src', 'main.tsx')],
  entryNames: '[name]-[hash]',
};
/** The service worker, under the same name in each build. */
const WORKER_ENTRIES: BuildOptions = {
  entryPoints: [path.join(CHAT, 'src', 'worker.ts')],
  entryNames: '[name]',
};

/**
 * Builds the chat's page: `dist/index.html`, and compressed files. The page appears last, so that a server always finds all that it
 * names.
 */
export async function bundleChat(): Promise<void> {
  const dist = path.join(REPOSITORY, CHAT, 'dist');
  const built = await Promise.all([PAGE_ENTRIES, WORKER_ENTRIES].map(bundleEntries));
  await mkdir(dist, { recursive: true });
  const old = await readdir(dist);
  let page = await readFile(path.join(REPOSITORY, PAGE), 'utf8');
  const names: string[] = [];
  for (const { path: file, contents } of built.flatMap(({ outputFiles }) => outputFiles)) {
    const name = path.basename(file);
    names.push(`${name}.gz`);
    await replace(`${file}.gz`, await promisify(gzip)(contents));
    page = page.replace(`"${name.replace(/-\w+\./, '.')}"`, `"/demo/assets/${name}"`);
  }
  await replace(path.join(dist, 'index.html'), page);
  const sources = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const inputs = describeInputs([...new Set([...sources, PAGE, SCRIPT])]);
  await replace(inputsFile(CHAT), JSON.stringify(inputs, null, 1));
  const outdated = old.filter((name) => name.endsWith('.gz') && !names.includes(name));
  for (const name of outdated) await rm(path.join(dist, name), { force: true });
}

function bundleEntries(entries: BuildOptions) {
  return build({
    absWorkingDir: REPOSITORY,
    ...entries,
    outdir: path.join(CHAT, 'dist'),
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    write: false,
    logLevel: 'error',
  });
}
