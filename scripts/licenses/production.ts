import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { describePackage, type BundledPackage } from '../build/packages.ts';
import { REPOSITORY } from '../build/paths.ts';

type Manifest = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };

/** Packages whose dependencies are for work on Parley alone. */
const FOR_DEVELOPMENT = ['lab', 'test', 'deploy', 'packages/stack', 'packages/testing', 'site'];

/** Every installed package that Parley needs to run: the dependencies of its own packages, and theirs in turn. */
export function productionPackages(): BundledPackage[] {
  const own = globSync('**/package.json', {
    cwd: REPOSITORY,
    exclude: (name) => /node_modules|dist|\.parley|baseline/.test(name),
  })
    .map((file) => path.dirname(file))
    .filter((folder) => !FOR_DEVELOPMENT.includes(folder));
  const found = new Set<string>();
  for (const folder of own) follow(path.join(REPOSITORY, folder), found);
  return [...found].filter((folder) => folder.includes('node_modules')).map(describePackage);
}

function follow(folder: string, found: Set<string>): void {
  const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies } = JSON.parse(text) as Manifest;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const target = locate(name, folder);
    // An optional package is not there on every platform.
    if (!target && optionalDependencies?.[name]) continue;
    if (!target) throw new Error(`${name} is not installed for ${folder}.`);
    if (found.has(target)) continue;
    found.add(target);
    follow(target, found);
  }
}

/** Finds a package as Node does. */
function locate(name: string, from: string): string | undefined {
  const folder = path.join(from, 'node_modules', name);
  if (existsSync(path.join(folder, 'package.json'))) return realpathSync(folder);
  const parent = path.dirname(from);
  return parent === from ? undefined : locate(name, parent);
}
