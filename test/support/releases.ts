import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { platformCatalog } from '@parley/stack/local/catalog';
import type { CatalogEntry } from '@parley/stack/platform';
import { lastRelease, listReleased } from '@parley/stack/release';
import { isAvailable } from '@parley/testing';
import { REPOSITORY } from '@parley/stack/config';

/** The processes of a platform, each of which can be of this checkout or of another one. */
export type Releases = {
  catalog: CatalogEntry[];
  /** The checkout of which all processes are at first. */
  folder: string;
  /** Makes a process of this name one of the checkout in the folder from its next start on. */
  use(name: string, folder: string): void;
  stop(): void;
};

/** All processes are of the checkout in `folder` at first. One that a checkout does not have is always of this one. */
export function startReleases(folder: string): Releases {
  const links = mkdtempSync(path.join(tmpdir(), 'parley-releases-'));
  const entries = new Map(platformCatalog().map((entry) => [entry.name, entry]));
  function use(name: string, checkout: string): void {
    const entry = entries.get(name);
    if (!entry) throw new Error(`no process is called ${name}`);
    const link = path.join(links, name, 'main.js');
    mkdirSync(path.dirname(link), { recursive: true });
    const file = path.relative(REPOSITORY, entry.entry);
    const target = [checkout, REPOSITORY].map((one) => path.join(one, file)).find(existsSync);
    if (!target) throw new Error(`${name} is not built`);
    // A rename, so that there is an entry at every moment.
    symlinkSync(target, `${link}.new`);
    renameSync(`${link}.new`, link);
  }
  for (const name of entries.keys()) use(name, folder);
  return {
    catalog: [...entries.values()].map((entry) => ({
      ...entry,
      entry: path.join(links, entry.name, 'main.js'),
    })),
    ...{ folder, use },
    stop: () => rmSync(links, { recursive: true, force: true }),
  };
}

/** Folders of the services that the last release has; without the history one name, for tests that are skipped. */
export function releasedServices(): string[] {
  return isAvailable('history') ? listReleased(lastRelease(), 'services') : ['services'];
}
