import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../build/paths.ts';

/** The package.json of a package in this repository, as far as it is published. */
export type Manifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  keywords: string[];
  exports: Record<string, string>;
  bin?: Record<string, string>;
  /** Files that do something when they are imported; by default none. */
  sideEffects?: false | string[];
  /** Packages of this repository, and packages that are bundled: what is published has no dependencies. */
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

/** Versions of Node that the guides ask for. */
const NODE = '>=22.18';

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Describes a published package. The repository and the home page are those of the root's package.json. */
export function describePackage({ name, version, description, license, keywords }: Manifest): object {
  const root = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as RootManifest;
  const { repository, homepage } = root;
  return {
    name,
    version,
    description,
    license,
    keywords,
    type: 'module',
    ...(repository && {
      repository: { type: 'git', url: repository.url },
    }),
    ...(homepage && { homepage }),
    engines: { node: NODE },
  };
}

type RootManifest = { repository?: { url: string }; homepage?: string };
