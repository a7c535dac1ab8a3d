import { pathToFileURL } from 'node:url';
import path from 'node:path';
import * as present from '@parley/client';
import { obtainRelease } from '@parley/stack/release';

/** The part of the client library by which a device is opened, of any version. */
export type Library = Pick<typeof present, 'createClient'>;

/** The library of this checkout, each time. */
export const presentLibrary = (): Library => present;

/** In turn the library of another commit, given by its full hash, and the one of this checkout. */
export async function alternatingLibraries(commit: string): Promise<() => Library> {
  const folder = await obtainRelease({ version: commit, commit });
  const file = path.join(folder, 'packages', 'client', 'src', 'index.ts');
  const other = (await import(pathToFileURL(file).href)) as Library;
  let opened = 0;
  return () => (opened++ % 2 === 0 ? other : present);
}
