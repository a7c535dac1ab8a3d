import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, transform, type Plugin } from 'esbuild';
import { REPOSITORY } from '../build/paths.ts';

/**
 * ES modules for pages without a bundler, by their names. `client.js`: the client, and how it keeps records and shares them between
 * tabs. `react-ui.js`: the components, with React and the client. `embed.js`: defines the element `<parley-chat>`.
 */
export const BROWSER_MODULES: Readonly<Record<string, string>> = {
  'client.js': `
    export * from './packages/client/src/index.ts';
    export * from './packages/client/src/indexeddb.ts';
  `,
  'react-ui.js': `export * from './packages/react-ui/src/browser.ts';`,
  'embed.js': `export * from './packages/react-ui/src/embed/index.ts';`,
};

/** Builds one of them: without imports, for browsers. */
export async function buildBrowserModule(name: string, folder: string): Promise<void> {
  await build({
    stdin: { contents: BROWSER_MODULES[name] ?? '', resolveDir: REPOSITORY, loader: 'ts' },
    absWorkingDir: REPOSITORY,
    outfile: path.resolve(folder, name),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    charset: 'utf8',
    plugins: [stylesAsText],
    legalComments: 'eof',
    logLevel: 'error',
  });
}

const stylesAsText: Plugin = {
  name: 'styles as text',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
      const { code } = await transform(await readFile(file, 'utf8'), { loader: 'css', minify: true });
      return { contents: code, loader: 'text' };
    });
  },
};
