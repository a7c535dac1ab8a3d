import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withClient } from '../drill/postgres-backup.ts';
import { copyServer, createServer, describeServer, HOST, own, type Place, type Server } from './server.ts';

/** A coordinator and two nodes that archive their logs, on this machine. */
export type Cluster = {
  coordinator: Server;
  nodes: Server[];
  /** These, and standbys. */
  all: Server[];
  /** An empty database on all servers, of which the coordinator knows. Returns the coordinator's url. */
  createDatabase(name: string): Promise<string>;
  /** A copy of a server that follows it from now on. */
  addStandby(of: Server): Promise<Server>;
  /** A base backup of a server, for `restore`. */
  backUp(server: Server): Promise<void>;
  /** Replaces the data of a stopped server by its backup, which the next start brings to a restore point from its archive. */
  restore(server: Server, point: string): void;
  stop(): Promise<void>;
};

export async function startCluster(place: Place): Promise<Cluster> {
  const folderOf = (kind: string, { name }: Pick<Server, 'name'>) => path.join(place.folder, kind, name);
  const create = (name: string) => createServer(place, name, folderOf('archive', { name }));
  const coordinator = await create('coordinator');
  const nodes = [await create('node-1'), await create('node-2')];
  const all = [coordinator, ...nodes];
  return {
    coordinator,
    nodes,
    all,
    async createDatabase(name) {
      for (const server of [coordinator, ...nodes]) {
        await withClient(server.url('postgres'), (client) => client.query(`create database ${name}`));
        await withClient(server.url(name), (client) => client.query('create extension citus'));
      }
      await withClient(coordinator.url(name), async (client) => {
        await client.query('select citus_set_coordinator_host($1, $2)', [HOST, coordinator.port]);
        for (const { port } of nodes) await client.query('select citus_add_node($1, $2)', [HOST, port]);
      });
      return coordinator.url(name);
    },
    async addStandby(of) {
      const standby = await describeServer(place, `${of.name}-standby`);
      await copyServer(place, of, standby.data, ['--write-recovery-conf', '--wal-method=stream']);
      await standby.start();
      all.push(standby);
      return standby;
    },
    backUp: (server) => copyServer(place, server, folderOf('backup', server), ['--wal-method=none']),
    restore(server, point) {
      rmSync(server.data, { recursive: true });
      renameSync(folderOf('backup', server), server.data);
      const settings = [
        `restore_command = 'cp "${folderOf('archive', server)}/%f" "%p"'`,
        `recovery_target_name = '${point}'`,
        `recovery_target_action = 'promote'`,
        `recovery_target_timeline = 'current'`,
        `archive_mode = 'off'`,
        `hot_standby = 'off'`,
      ];
      appendFileSync(path.join(server.data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
      writeFileSync(path.join(server.data, 'recovery.signal'), '');
      own(path.join(server.data, 'recovery.signal'));
    },
    async stop() {
      for (const server of all.toReversed()) await server.stop('SIGINT');
    },
  };
}
