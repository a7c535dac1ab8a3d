import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGES_FILE, type BundledPackage } from '../build/packages.ts';
import { REPOSITORY } from '../build/paths.ts';
import type { ImageContents } from './bom.ts';

/** Reads the contents that `deploy/gather.sh` copies into the image, with the packages of each bundle. */
export function readContents(baseImage: string): ImageContents {
  const services = readdirSync(path.join(REPOSITORY, 'services')).map((name) => `services/${name}`);
  const processes = ['gateway', 'cli', 'console/server', ...services].filter((folder) =>
    existsSync(path.join(REPOSITORY, folder, 'src', 'main.ts')),
  );
  const folders = { ...lists(processes), console: 'console/dist', site: '.parley/site/current' };
  return {
    version: versionOf('package.json'),
    node: versionOf('node_modules/node/package.json'),
    baseImage,
    bundles: Object.fromEntries(
      Object.entries(folders).map(([name, folder]) => [name, readPackages(path.join(REPOSITORY, folder))]),
    ),
  };
}

function lists(folders: readonly string[]): Record<string, string> {
  return Object.fromEntries(folders.map((folder) => [folder, `${folder}/dist`]));
}

function readPackages(folder: string): BundledPackage[] {
  return JSON.parse(readFileSync(path.join(folder, PACKAGES_FILE), 'utf8')) as BundledPackage[];
}

function versionOf(manifest: string): string {
  return (JSON.parse(readFileSync(path.join(REPOSITORY, manifest), 'utf8')) as { version: string }).version;
}
