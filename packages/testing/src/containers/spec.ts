import type { Command } from '@parley/stack/command';
import { untilGatewayAnswers } from '../ceph/cluster.ts';
import { userCommand } from '../ceph/commands.ts';
import { clusterScript, STARTED } from '../ceph/script.ts';
import { accessOf, cephSettings, confText } from '../ceph/settings.ts';
import { NATS_VARIABLES, payloadLine, untilNatsAnswers } from '@parley/stack/nats/server';
import { behaviour, serverFlags, untilPostgresAnswers } from '@parley/stack/postgres/server';
import { SHARED_POSTGRES } from '../postgres.ts';
import type { Store } from './choice.ts';

/** A container that runs, as a test reaches it. */
export type Place = {
  host: string;
  port: number;
  /** Runs a command inside; fails when the command does. */
  run(command: Command): Promise<void>;
};

/** How a store runs in a container, from an official image or one that takes the same arguments. */
export type ContainerSpec = {
  /** Inside. */
  port: number;
  entrypoint?: string[];
  command: string[];
  environment: Record<string, string>;
  files: { target: string; content: string }[];
  /** A line that its output has once the server is worth asking. */
  startedLine: RegExp;
  /** Waits until the server answers; gives the address that tests take. */
  untilReady(place: Place): Promise<string>;
};

export const SPECS: Record<Store, () => ContainerSpec> = { postgres, nats, s3 };

/** A container with the parameters of the embedded server that tests share, and an order of text that every version and image has. */
function postgres(): ContainerSpec {
  return {
    port: 5432,
    command: ['postgres', ...serverFlags(behaviour(SHARED_POSTGRES))],
    environment: {
      POSTGRES_PASSWORD: 'test',
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C.UTF-8 --no-sync',
    },
    files: [],
    startedLine: /ready to accept connections/,
    async untilReady({ host, port }) {
      const url = `postgres://postgres:test@${host}:${port}/postgres`;
      await untilPostgresAnswers(url);
      return url;
    },
  };
}

/** A container with JetStream, without users, as the embedded server that the files of a worker share. */
function nats(): ContainerSpec {
  const target = '/etc/parley-nats.conf';
  return {
    port: 4222,
    command: ['-p', '4222', '-js', '-sd', '/tmp/jetstream', '-c', target],
    environment: NATS_VARIABLES,
    files: [{ target, content: payloadLine() }],
    startedLine: /Server is ready/,
    async untilReady({ host, port }) {
      await untilNatsAnswers({ host, port });
      return `nats://${host}:${port}`;
    },
  };
}

/** A cluster of Ceph, one of each daemon, as `startCeph` makes it on the machine itself. */
function s3(): ContainerSpec {
  const settings = cephSettings({
    folder: '/tmp/parley-ceph',
    monitorPort: 3300,
    gatewayPort: 8000,
    gatewayHost: '0.0.0.0',
  });
  return {
    port: settings.gatewayPort,
    entrypoint: ['/bin/sh', '-c', clusterScript(settings)],
    command: [],
    environment: {},
    files: [{ target: settings.conf, content: confText(settings) }],
    startedLine: new RegExp(STARTED),
    async untilReady({ host, port, run }) {
      const endpoint = `http://${host}:${port}`;
      await untilGatewayAnswers(endpoint);
      await run(userCommand(settings));
      return JSON.stringify(accessOf(settings, endpoint));
    },
  };
}
