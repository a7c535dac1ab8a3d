import path from 'node:path';
import { build } from 'esbuild';
import { REPOSITORY } from '../build/paths.ts';

/** Exports for a page without a bundler: the client, and how it keeps records and shares them between tabs. */
const ENTRY = `
export * from './packages/client/src/index.ts';
export * from './packages/client/src/indexeddb.ts';
`;

/** Builds `client.js`: one ES module for browsers, without imports. */
export async function buildBrowserModule(file: string): Promise<void> {
  await build({
    stdin: { contents: ENTRY, resolveDir: REPOSITORY, loader: 'ts' },
    absWorkingDir: REPOSITORY,
    outfile: path.resolve(file),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    legalComments: 'none',
    logLevel: 'error',
  });
}
