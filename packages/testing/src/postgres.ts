import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { freePort } from '@parley/stack/free-port';
import { initialiseCluster } from '@parley/stack/postgres/initialise';
import {
  endOrphans,
  postgresCommand,
  postgresUrl,
  untilPostgresAnswers,
} from '@parley/stack/postgres/server';
import { copyCertificates, withTls } from '@parley/stack/postgres/tls';
import { processFolder } from '@parley/stack/process-folder';
import { startServer, type TestServer } from './server.ts';

export type TestPostgresOptions = {
  port?: number;
  /** Default false: no fsync, since a test's data need not outlive the machine. A SIGKILL loses nothing either way. */
  durable?: boolean;
  /** Default 500: processes that are killed leave theirs open for a while. */
  maxConnections?: number;
  /** The folder that is guarded and removed at the end; default: this process's own. */
  folder?: string;
  /** Folder of its certificate; then it takes connections with TLS alone. Default: no TLS. */
  tlsFolder?: string;
};

/** How the server behaves that the tests of a run share, embedded or not. */
export const SHARED_POSTGRES = { durable: false, maxConnections: 500 };

/** A Postgres server for this caller alone; the url names the superuser and the database postgres. */
export async function startPostgres(options: TestPostgresOptions = {}): Promise<TestServer> {
  const guardFolder = options.folder ?? processFolder();
  const dataDir = path.join(guardFolder, `postgres-${randomUUID()}`);
  const settings = {
    dataDir,
    password: 'test',
    port: options.port ?? (await freePort()),
    durable: options.durable ?? false,
    maxConnections: options.maxConnections ?? SHARED_POSTGRES.maxConnections,
    hasTls: options.tlsFolder !== undefined,
  };
  await initialiseCluster(settings);
  const { tlsFolder } = options;
  const url = tlsFolder === undefined ? postgresUrl(settings) : withTls(postgresUrl(settings), tlsFolder);
  const copy = async () => {
    if (tlsFolder !== undefined) await copyCertificates(tlsFolder, dataDir);
  };
  return startServer({
    url,
    port: settings.port,
    logFile: `${dataDir}.log`,
    guardFolder,
    stopSignal: 'SIGINT',
    command: () => Promise.resolve(postgresCommand(settings)),
    beforeStart: async () => {
      await copy();
      await endOrphans(dataDir);
    },
    beforeReload: copy,
    untilReady: (given) => untilPostgresAnswers(url, given),
  });
}
