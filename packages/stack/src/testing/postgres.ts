import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import { initialiseCluster } from '../postgres/initialise.ts';
import { endOrphans, postgresCommand, postgresUrl, untilPostgresAnswers } from '../postgres/server.ts';
import { processFolder } from './folder.ts';
import { startServer, type TestServer } from './server.ts';

export type TestPostgresOptions = {
  port?: number;
  /** Default false: no fsync, since a test's data need not outlive the machine. A SIGKILL loses nothing either way. */
  durable?: boolean;
  maxConnections?: number;
  /** The folder that is guarded and removed at the end; default: this process's own. */
  folder?: string;
};

/** A Postgres of the caller's own; the url is the superuser's, database postgres. */
export async function startPostgres(options: TestPostgresOptions = {}): Promise<TestServer> {
  const guardFolder = options.folder ?? processFolder();
  const dataDir = path.join(guardFolder, `postgres-${randomUUID()}`);
  const settings = {
    dataDir,
    password: 'test',
    port: options.port ?? (await freePort()),
    durable: options.durable ?? false,
    ...(options.maxConnections !== undefined && { maxConnections: options.maxConnections }),
  };
  await initialiseCluster(settings);
  const url = postgresUrl(settings);
  return startServer({
    url,
    port: settings.port,
    logFile: `${dataDir}.log`,
    guardFolder,
    stopSignal: 'SIGINT',
    command: () => Promise.resolve(postgresCommand(settings)),
    beforeStart: () => endOrphans(dataDir),
    untilReady: (given) => untilPostgresAnswers(url, given),
  });
}
