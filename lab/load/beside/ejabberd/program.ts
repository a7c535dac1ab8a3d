import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '@parley/stack/command';
import { readConfig } from '@parley/stack/config';

/** Programs of ejabberd's packages, wherever they are unpacked. */
export type EjabberdProgram = {
  version: string;
  /** File with the statements that create the tables in Postgres. */
  schema: string;
  /** Keeps configuration, data and logs in the folder, which has an `ejabberd.yml`. */
  command(folder: string): Command;
};

/** Fails with one sentence when the folder lacks something. */
export function findProgram(root: string): EjabberdProgram {
  const erlang = path.join(root, 'usr/lib/erlang');
  const binaries = find(root, 'usr/lib/erlang/erts-*/bin');
  const program = find(root, 'usr/lib/*/ejabberd-*/ebin');
  const schema = find(root, 'usr/share/ejabberd/sql/pg.sql');
  find(root, 'usr/lib/erlang/lib/p1_pgsql-*/ebin');
  const libraries = path.dirname(path.dirname(program));
  const environment = {
    ROOTDIR: erlang,
    BINDIR: binaries,
    EMU: 'beam',
    PROGNAME: 'erl',
    ERL_LIBS: libraries,
    LD_LIBRARY_PATH: [libraries, path.join(root, 'lib', path.basename(libraries))].join(':'),
    ERL_CRASH_DUMP_SECONDS: '0',
  };
  return {
    version: path.basename(path.dirname(program)).replace('ejabberd-', ''),
    schema,
    command: (folder) => ({
      file: path.join(binaries, 'erlexec'),
      args: [
        '+K',
        'true',
        '-noinput',
        '-mnesia',
        'dir',
        JSON.stringify(path.join(folder, 'mnesia')),
        '-s',
        'ejabberd',
      ],
      cwd: folder,
      env: {
        ...readConfig().inherited,
        ...environment,
        EJABBERD_CONFIG_PATH: path.join(folder, 'ejabberd.yml'),
        EJABBERD_LOG_PATH: path.join(folder, 'ejabberd.log'),
      },
    }),
  };
}

function find(root: string, pattern: string): string {
  const [found] = existsSync(root) ? globSync(pattern, { cwd: root }).sort() : [];
  if (!found)
    throw new Error(
      `${root} lacks ${pattern}: PARLEY_EJABBERD is a folder with Debian's packages of ejabberd and erlang-p1-pgsql, unpacked.`,
    );
  return path.join(root, found);
}
