import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { describeInputs, inputsFile } from './inputs.ts';
import { describePackages, listing, PACKAGES_FILE } from './packages.ts';
import { REPOSITORY } from './paths.ts';

// Packages in CommonJS expect these names.
const BANNER = [
  `import { createRequire as parleyCreateRequire } from 'node:module';`,
  `import { fileURLToPath as parleyFileURLToPath } from 'node:url';`,
  `const require = parleyCreateRequire(import.meta.url);`,
  `const __filename = parleyFileURLToPath(import.meta.url);`,
  `const __dirname = parleyFileURLToPath(new URL('.', import.meta.url));`,
].join(' ');

/** Each file appears by a rename, since a process may be started at any moment. */
export async function bundle(folder: string): Promise<void> {
  const dist = path.join(REPOSITORY, folder, 'dist');
  const { outputFiles, metafile } = await build({
    absWorkingDir: REPOSITORY,
    entryPoints: [path.join(folder, 'src', 'main.ts')],
    outfile: path.join(folder, 'dist', 'main.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    mainFields: ['module', 'main'],
    sourcemap: true,
    // A stack trace names lines; Node reads the map when it loads the bundle.
    sourcesContent: false,
    metafile: true,
    write: false,
    banner: { js: BANNER },
    external: ['pg-native', 'pg-cloudflare'],
    logLevel: 'error',
  });
  await mkdir(dist, { recursive: true });
  for (const { path: file, contents } of outputFiles) await replace(file, contents);
  // Those of which something is left in the bundle.
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  await replace(path.join(dist, PACKAGES_FILE), listing(describePackages(files)));
  const inputs = describeInputs([
    ...Object.keys(metafile.inputs),
    'scripts/build/bundle.ts',
    'scripts/build/packages.ts',
  ]);
  await replace(inputsFile(folder), JSON.stringify(inputs, null, 1));
}

/** Writes a file that others read at any moment. */
export async function replace(file: string, contents: string | Uint8Array): Promise<void> {
  await writeFile(`${file}.new`, contents);
  await rename(`${file}.new`, file);
}
