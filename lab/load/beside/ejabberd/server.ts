import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { isPortFree } from '@parley/stack/free-port';
import { freePort, startPostgres, until } from '@parley/testing';
import { processFolder } from '@parley/stack/process-folder';
import { startServer } from '@parley/testing/server';
import { withDatabase } from '../../database.ts';
import type { Measured } from '../../usage.ts';
import { configurationText } from './configuration.ts';
import type { EjabberdProgram } from './program.ts';

export type RunningEjabberd = {
  /** Port for its clients, on loopback. */
  port: number;
  state: Measured;
  /** Messages in the archives of users and rooms. */
  countStored(): Promise<number>;
  stop(): Promise<void>;
};

const DATABASE = 'ejabberd';
/** Connections: as many as the largest group has members, and some more. */
const MOST_MEMBERS = 2_000;
const POOL_SIZE = 10;

/** Starts ejabberd with a Postgres of its own, whose commits are durable. Both end with this process, and their data goes. */
export async function startEjabberd(program: EjabberdProgram): Promise<RunningEjabberd> {
  const postgres = await startPostgres({ durable: true });
  const folder = path.join(processFolder(), `ejabberd-${randomUUID()}`);
  const port = await freePort();
  try {
    await createTables(postgres.url, program.schema);
    mkdirSync(folder);
    const settings = {
      port,
      postgres: accessOf(postgres.url),
      poolSize: POOL_SIZE,
      mostMembers: MOST_MEMBERS,
    };
    writeFileSync(path.join(folder, 'ejabberd.yml'), configurationText(settings), { mode: 0o600 });
    const server = await startServer({
      url: `xmpp://127.0.0.1:${port}`,
      port,
      logFile: path.join(folder, 'output.log'),
      guardFolder: processFolder(),
      stopSignal: 'SIGTERM',
      command: () => Promise.resolve(program.command(folder)),
      untilReady: (given) => untilListening(port, given),
    });
    const processes = [
      { name: 'ejabberd', pid: server.pid },
      { name: 'postgres', pid: postgres.pid },
    ];
    return {
      port,
      state: { processes },
      countStored: () => countStored(postgres.url),
      async stop() {
        await server.kill();
        await postgres.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

function accessOf(url: string) {
  const { hostname, port, username, password } = new URL(url);
  return {
    host: hostname,
    port: Number(port),
    user: username,
    password: decodeURIComponent(password),
    database: DATABASE,
  };
}

async function createTables(url: string, schema: string): Promise<void> {
  await withDatabase(url, 'postgres', (client) =>
    client.query(`create database ${pg.escapeIdentifier(DATABASE)}`),
  );
  await withDatabase(url, DATABASE, (client) => client.query(readFileSync(schema, 'utf8')));
}

async function countStored(url: string): Promise<number> {
  const count = 'select count(*)::int as count from archive';
  const { rows } = await withDatabase(url, DATABASE, (client) => client.query<{ count: number }>(count));
  return rows[0]?.count ?? 0;
}

async function untilListening(port: number, given: () => string | undefined): Promise<void> {
  const isListening = async () => !(await isPortFree(port)) || undefined;
  await until(isListening, { withinMs: 60_000, what: 'ejabberd takes connections', given });
}
