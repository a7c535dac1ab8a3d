import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle } from '../build/bundle.ts';
import { isUpToDate } from '../build/inputs.ts';
import { REPOSITORY } from '../build/paths.ts';
import { writePackage } from './build.ts';
import { describePackage, readManifest } from './manifest.ts';

const FOLDER = path.join(REPOSITORY, 'cli');

/** The command line in one file. */
export const CLI_BUNDLE = path.join(FOLDER, 'dist', 'main.js');

/** Brings the bundle of the command line up to date. */
export async function bundleCli(): Promise<void> {
  if (!isUpToDate('cli')) await bundle('cli');
}

/** Builds the package of the command line into the folder `dist`. */
export function buildCli(dist: string): void {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const main = path.join(dist, 'main.js');
  const text = readFileSync(CLI_BUNDLE, 'utf8').replace(/\n\/\/# sourceMappingURL=\S*\n?$/, '\n');
  writeFileSync(main, `#!/usr/bin/env node\n${text}`);
  chmodSync(main, 0o755);
  const manifest = { ...describePackage(readManifest(FOLDER)), bin: { parley: './main.js' } };
  writePackage(FOLDER, { manifest, dist });
}
