import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './paths.ts';

/** A package of npm that a bundle holds, as its own `package.json` describes it. */
export type BundledPackage = { name: string; version: string; license: string };

/** The file beside a bundle that lists its packages. */
export const PACKAGES_FILE = 'packages.json';

/** `license` is empty where the package names none. */
export function describePackage(folder: string): BundledPackage {
  const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
  const { name, version, license = '' } = JSON.parse(text) as BundledPackage;
  return { name, version, license };
}

/**
 * The packages that `files` belong to, each version once, sorted. Files are relative to the repository or absolute, as bundlers name
 * them: also with a query, or with a NUL in front. Files outside `node_modules` belong to none.
 */
export function describePackages(files: readonly string[]): BundledPackage[] {
  const folders = new Set(files.map(folderOf).filter((folder) => folder !== undefined));
  const packages = [...folders]
    .filter((folder) => existsSync(path.join(folder, 'package.json')))
    .map(describePackage);
  const byKey = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function folderOf(file: string): string | undefined {
  const absolute = path.resolve(REPOSITORY, file.replace('\0', ''));
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/?]+/.exec(absolute)?.[0];
}

/** The argument of `generateBundle` in Vite and Rollup, as far as it matters here. */
type Chunks = Record<string, { type: string; modules?: Record<string, { renderedLength: number }> }>;
type Emitter = { emitFile: (file: { type: 'asset'; fileName: string; source: string }) => unknown };

/** A plugin for Vite that adds the list of packages to what it builds for browsers. */
export function packagesPlugin() {
  let isForServers = false;
  return {
    name: 'packages',
    configResolved({ build }: { build: { ssr: unknown } }) {
      isForServers = Boolean(build.ssr);
    },
    generateBundle(this: Emitter, _: unknown, chunks: Chunks) {
      if (isForServers) return;
      const modules = Object.values(chunks).flatMap((chunk) => Object.entries(chunk.modules ?? {}));
      const files = modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([file]) => file);
      this.emitFile({ type: 'asset', fileName: PACKAGES_FILE, source: listing(describePackages(files)) });
    },
  };
}

export function listing(packages: readonly BundledPackage[]): string {
  return `${JSON.stringify(packages, null, 1)}\n`;
}
