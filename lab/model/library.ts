import { pathToFileURL } from 'node:url';
import path from 'node:path';
import * as present from '@parley/client';
import { leanSockets } from '@parley/client/lean';
import { obtainRelease } from '@parley/stack/release';
import type { TestApp } from '../../test/support/app.ts';

/** The part of the client library by which a device is opened, of any version. */
export type Library = Pick<typeof present, 'createClient'>;

/** The application in which devices act, and the library that each is opened with, at first and after each reload. */
export type Setting = {
  readonly app: TestApp;
  readonly nextLibrary: () => Library;
};

/** The library of this checkout, with the usual packets and with lean ones in turn. */
export function presentLibraries(): () => Library {
  return inTurn([lean, present]);
}

/** Takes turns between both forms of packets and the library of another commit, given by its full hash. */
export async function librariesBeside(commit: string): Promise<() => Library> {
  const folder = await obtainRelease({ version: commit, commit });
  const file = path.join(folder, 'packages', 'client', 'src', 'index.ts');
  const other = (await import(pathToFileURL(file).href)) as Library;
  return inTurn([other, present, other, lean]);
}

const lean: Library = {
  createClient: (options) => present.createClient({ ...options, WebSocket: leanSockets() }),
};

function inTurn(libraries: readonly Library[]): () => Library {
  let opened = 0;
  return () => libraries[opened++ % libraries.length] ?? present;
}
