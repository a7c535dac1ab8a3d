import { chmodSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { REPOSITORY } from '../build/paths.ts';
import { writePackage } from './build.ts';
import { describePackage, readManifest } from './manifest.ts';

const FOLDER = path.join(REPOSITORY, 'packages', 'create');

/**
 * Builds the package of the command that makes an application, into the folder `dist`: the command, what applications begin with, and the
 * tarballs that they install.
 */
export async function buildCreate(dist: string, tarballs: readonly string[]): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(path.join(dist, 'vendor'), { recursive: true });
  const main = path.join(dist, 'main.js');
  await build({
    entryPoints: [path.join(FOLDER, 'src', 'main.ts')],
    outfile: main,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'error',
  });
  chmodSync(main, 0o755);
  cpSync(path.join(FOLDER, 'template'), path.join(dist, 'template'), { recursive: true });
  for (const file of tarballs) cpSync(file, path.join(dist, 'vendor', path.basename(file)));
  const manifest = { ...describePackage(readManifest(FOLDER)), bin: { create: './main.js' } };
  writePackage(FOLDER, { manifest, dist });
}
