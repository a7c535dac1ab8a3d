import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Command } from '../command.ts';
import { pidsWorkingIn, signal, untilDead } from '../pids.ts';
import { until } from '../until.ts';
import { findPostgresBinaries } from './binaries.ts';
import type { Cluster } from './initialise.ts';
import { tlsSettings } from './tls.ts';
import { unprivileged } from './unprivileged.ts';

export type PostgresSettings = Cluster & {
  port: number;
  /** False only where a power cut may lose everything, in tests of a single service. */
  durable: boolean;
  maxConnections?: number;
  /** Default false. True: it takes connections with TLS alone; its certificate is in the data folder. */
  hasTls?: boolean;
  /** Default false. True: it counts the statements that it runs, for `pg_stat_statements`. */
  recordsStatements?: boolean;
};

/** All statements but those that define or lock tables; enough of them that none is forgotten. */
const RECORDING: Record<string, string> = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '20000',
  'pg_stat_statements.track_utility': 'off',
};

/** Longest path of a Unix socket on Linux, without its closing zero byte. Bytes. */
const MAX_SOCKET_PATH = 107;

/**
 * Listens on 127.0.0.1, and on a Unix socket in its data folder where the path is short enough. SIGINT stops it at once and
 * cleanly, SIGQUIT without a checkpoint.
 */
export function postgresCommand(settings: PostgresSettings): Command {
  const { postgres } = findPostgresBinaries();
  const flags = serverFlags({
    ...behaviour(settings),
    port: String(settings.port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: hasSocket(settings) ? settings.dataDir : '',
    ...(settings.hasTls && tlsSettings(settings.dataDir)),
    ...(settings.recordsStatements && RECORDING),
  });
  const root = path.parse(settings.dataDir).root;
  const command = { file: postgres, args: ['-D', settings.dataDir, ...flags], cwd: root };
  return unprivileged(command, [settings.dataDir, postgres]);
}

/** How a server behaves wherever it runs: its parameters without those of its place and its addresses. */
export function behaviour({
  durable,
  maxConnections = 200,
}: Pick<PostgresSettings, 'durable' | 'maxConnections'>): Record<string, string> {
  return {
    max_connections: String(maxConnections),
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    jit: 'off',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' }),
  };
}

/** The arguments that give a server these parameters. */
export function serverFlags(parameters: Record<string, string>): string[] {
  return Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

export function postgresUrl({ port, password }: PostgresSettings, database = 'postgres'): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/**
 * The address for processes of this machine and user: a Unix socket costs both sides less than TCP. The address of TCP where
 * there is no socket.
 */
export function nearPostgresUrl(settings: PostgresSettings, database: string): string {
  const url = postgresUrl(settings, database);
  return hasSocket(settings) ? `${url}?host=${encodeURIComponent(settings.dataDir)}` : url;
}

function hasSocket({ dataDir, port, hasTls }: PostgresSettings): boolean {
  return !hasTls && Buffer.byteLength(path.join(dataDir, `.s.PGSQL.${port}`)) <= MAX_SOCKET_PATH;
}

export async function untilPostgresAnswers(url: string, given?: () => string | undefined): Promise<void> {
  await until(
    async () => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query('select 1');
        return true;
      } finally {
        await client.end().catch(() => {});
      }
    },
    { withinMs: 30_000, everyMs: 15, what: 'Postgres answers', ...(given && { given }) },
  );
}

/**
 * Ends the backends of a killed server: they outlive it while they are busy, and keep the next server from starting.
 */
export async function endOrphans(dataDir: string): Promise<void> {
  const pids = pidsWorkingIn(dataDir).filter(isPostgres);
  for (const pid of pids) signal(pid, 'SIGKILL');
  await Promise.all(pids.map((pid) => untilDead(pid, 5_000)));
}

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}
