import { freePort } from '../free-port.ts';
import { checkJetStream, natsCommand, natsUrl, untilNatsAnswers } from '../nats/server.ts';
import { initialiseCluster } from '../postgres/initialise.ts';
import {
  endOrphans,
  nearPostgresUrl,
  postgresCommand,
  postgresUrl,
  untilPostgresAnswers,
} from '../postgres/server.ts';
import type { DataFolder } from './folder.ts';
import { natsPassword, type Secrets } from './secrets.ts';
import type { ProcessDefinition } from './supervisor/process-definition.ts';

export type Infra = {
  processes: ProcessDefinition[];
  /** Address for any program of this machine. */
  postgresUrl: string;
  /** Address for the processes of the platform. */
  databaseUrl(database: string): string;
  natsUrl: string;
  /** Password of a user of NATS; undefined where NATS has no users. */
  natsPassword(user: string): string | undefined;
};

export type InfraOptions = {
  folder: DataFolder;
  secrets: Secrets;
  durable: boolean;
  natsUsers: boolean;
  recordsStatements: boolean;
};

export async function describeInfra(options: InfraOptions): Promise<Infra> {
  const { folder, secrets, durable, natsUsers, recordsStatements } = options;
  const password = secrets.postgres_password;
  const settings = { dataDir: folder.postgres, password, port: await freePort(), durable, recordsStatements };
  const passwordOf = natsUsers ? (user: string) => natsPassword(secrets, user) : undefined;
  const nats = {
    port: await freePort(),
    monitorPort: await freePort(),
    storeDir: folder.nats,
    passwordOf,
  };
  return {
    processes: [describePostgres(settings), describeNats(nats)],
    postgresUrl: postgresUrl(settings),
    databaseUrl: (database) => nearPostgresUrl(settings, database),
    natsUrl: natsUrl(nats),
    natsPassword: (user) => passwordOf?.(user),
  };
}

function describePostgres(settings: Parameters<typeof postgresCommand>[0]): ProcessDefinition {
  return {
    name: 'postgres',
    kind: 'infra',
    ports: {},
    stopSignal: 'SIGINT',
    // Without a checkpoint; after a SIGKILL its shared memory would stay.
    discardSignal: 'SIGQUIT',
    stopWithinMs: 20_000,
    beforeStart: async () => {
      await endOrphans(settings.dataDir);
      await initialiseCluster(settings);
    },
    command: () => Promise.resolve(postgresCommand(settings)),
    untilReady: (given) => untilPostgresAnswers(postgresUrl(settings), given),
  };
}

function describeNats(settings: Parameters<typeof natsCommand>[0]): ProcessDefinition {
  return {
    name: 'nats',
    kind: 'infra',
    ports: { http: settings.monitorPort! },
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
    command: () => natsCommand(settings),
    untilReady: (given) => untilNatsAnswers(settings.port, given),
    checkHealth: (signal) => checkJetStream(settings.monitorPort!, signal),
  };
}
