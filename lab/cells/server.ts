import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { owner, unprivileged } from '@parley/stack/postgres/unprivileged';
import { freePort, guardProcess } from '@parley/testing';
import { withClient } from '../drill/postgres-backup.ts';
import { until } from '../../test/support/until.ts';
import { readConfig } from '../config.ts';

/** One server of a Citus cluster, on this machine. */
export type Server = {
  name: string;
  port: number;
  data: string;
  url(database: string): string;
  start(): Promise<void>;
  /** `SIGQUIT` ends it at once, as a machine that is lost; it recovers from its log at the next start. */
  stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
};

/** `bin`: the binaries of a Postgres that has Citus. Data and logs are in `folder`. */
export type Place = { bin: string; folder: string };

export const HOST = '127.0.0.1';
const READY_MS = 60_000;
const STOPPED_MS = 60_000;
const LOG_LINES = 15;

const SETTINGS = [
  `listen_addresses = '${HOST}'`,
  `unix_socket_directories = ''`,
  `shared_preload_libraries = 'citus'`,
  `wal_level = 'logical'`,
  'max_connections = 300',
  'max_wal_senders = 20',
  'max_replication_slots = 20',
  'max_worker_processes = 24',
  'max_logical_replication_workers = 12',
  'max_prepared_transactions = 300',
  // A power failure is not what is tried here.
  'fsync = off',
  `citus.defer_shard_delete_interval = '5s'`,
  `archive_mode = 'on'`,
];

/** A new server, which archives its log into `archive`. */
export async function createServer(place: Place, name: string, archive: string): Promise<Server> {
  const server = await describeServer(place, name);
  for (const folder of [archive, server.data]) mkdirSync(folder, { recursive: true });
  own(archive, server.data);
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await runAs(place, 'initdb', ['-D', server.data, ...options]);
  const command = `cp "%p" "${archive}/%f.part" && mv "${archive}/%f.part" "${archive}/%f"`;
  const settings = [...SETTINGS, `archive_command = '${command}'`];
  appendFileSync(path.join(server.data, 'postgresql.conf'), `${settings.join('\n')}\n`);
  appendFileSync(path.join(server.data, 'pg_hba.conf'), `host replication all ${HOST}/32 trust\n`);
  await server.start();
  return server;
}

/** A server whose data are there, or will be. */
export async function describeServer({ bin, folder }: Place, name: string): Promise<Server> {
  const port = await freePort();
  const data = path.join(folder, name);
  const url = (database: string) => `postgres://postgres@${HOST}:${port}/${database}`;
  let child: ChildProcess | undefined;
  return {
    name,
    port,
    data,
    url,
    async start() {
      const program = path.join(bin, 'postgres');
      const args = ['-D', data, '-c', `port=${port}`];
      const { file, args: given, uid, gid } = unprivileged({ file: program, args }, [folder, program]);
      const log = openSync(`${data}.log`, 'a');
      const as = uid === undefined ? {} : { uid, gid };
      // Servers look for certificates in the home of their user.
      const env = Object.assign({}, readConfig().inherited, { HOME: folder });
      child = spawn(file, given, { stdio: ['ignore', log, log], cwd: folder, env, ...as });
      await once(child, 'spawn');
      guardProcess(folder, child.pid ?? 0);
      const ask = () => withClient(url('postgres'), (client) => client.query('select 1'));
      await until(`${name} answers`, () => ask().catch(() => undefined), READY_MS).catch((cause: unknown) => {
        const last = readFileSync(`${data}.log`, 'utf8').split('\n').slice(-LOG_LINES);
        throw new Error(`${name} did not start: ${last.join('\n')}`, { cause });
      });
    },
    async stop(signal) {
      const stopping = child;
      if (!stopping || stopping.exitCode !== null) return;
      const exited = once(stopping, 'exit', { signal: AbortSignal.timeout(STOPPED_MS) });
      stopping.kill(signal);
      await exited;
    },
  };
}

/** Copies the data of a running server into `target`. */
export async function copyServer(
  place: Place,
  server: Server,
  target: string,
  options: string[],
): Promise<void> {
  mkdirSync(target, { recursive: true });
  chmodSync(target, 0o700);
  own(target);
  const address = ['-h', HOST, '-p', String(server.port), '-U', 'postgres'];
  await runAs(place, 'pg_basebackup', [
    ...address,
    '-D',
    target,
    '--checkpoint=fast',
    '--no-sync',
    ...options,
  ]);
}

export function own(...files: string[]): void {
  const as = owner();
  if (as) for (const file of files) chownSync(file, as.uid, as.gid);
}

async function runAs({ bin, folder }: Place, name: string, args: string[]): Promise<void> {
  const program = path.join(bin, name);
  const command = unprivileged({ file: program, args }, [folder, program]);
  const as = command.uid === undefined ? {} : { uid: command.uid, gid: command.gid };
  await promisify(execFile)(command.file, command.args, { cwd: folder, ...as });
}
