import { existsSync, rmSync } from 'node:fs';
import { tryPort } from './free-port.ts';
import { writeJsonFile } from './json-file.ts';
import { DEMO_ENTRY, platformCatalog, type CatalogEntry } from './local/catalog.ts';
import { createSupervisor, type Supervisor } from './local/supervisor/supervisor.ts';
import { logIn, obtainDemoApp, rememberLogin, type DemoApp } from './local/demo-app.ts';
import { describeProcesses, type EnvOverrides, type Rewire } from './local/describe.ts';
import { openDataFolder, type DataFolder } from './local/folder.ts';
import { lockFolder } from './local/lock.ts';
import { prepareMigration } from './local/migrate.ts';
import { makePrivate } from './local/private.ts';
import { makePlan, stateOf, type Plan } from './local/plan.ts';
import type { ProcessDefinition } from './local/supervisor/process-definition.ts';
import { openRunFolder } from './local/run-folder.ts';
import { startPageBuilds, type PageBuilds } from './local/page-builds.ts';
import { listProcesses, type PlatformState } from './local/state.ts';

export type { PlatformState } from './local/state.ts';
export type { CatalogEntry } from './local/catalog.ts';
export type { Rewire } from './local/describe.ts';

export type PlatformOptions = {
  /** Folder of the platform's data, logs, secrets and state.json. Created when missing. */
  dataDir: string;
  /** Port of the first gateway. */
  port: number;
  /** Variables by process name, or '*' for all; a replica's own name (messaging-2) wins over its process's. */
  env?: EnvOverrides;
  /** Changes the environment of a process, for example so that it reaches others by proxies. */
  rewire?: Rewire;
  /** How many of a process; default 1 each. */
  replicas?: Record<string, number>;
  /** Default true; false: a power cut may lose data, a killed process never does. */
  durable?: boolean;
  /**
   * Default true: exports get what other processes leave of the processors, as on a laptop. False: an equal share, for tests that wait
   * for an export on a machine whose processors are all busy.
   */
  yieldsProcessors?: boolean;
  /** Default true: creates the demo application and starts its login backend. */
  demo?: boolean;
  /** Default: the built processes of this checkout. */
  catalog?: CatalogEntry[];
  /** Default true. False: NATS accepts connections without a user, as those of releases before there were users. */
  natsUsers?: boolean;
  /** Default false. True: Postgres records the statements that it runs, in `pg_stat_statements`. */
  recordsStatements?: boolean;
  /** Default false. True: the gateway serves the documentation at /docs, once it is built. */
  site?: boolean;
  /** Default false. True: removes the data of earlier starts first. */
  fresh?: boolean;
  /** Stops the platform, also in the middle of its start. */
  signal?: AbortSignal;
  /** Gets one line for each step and each process that ended; default: discards it. */
  report?(line: string): void;
};

export type Platform = {
  readonly baseUrl: string;
  /** Present content of state.json. */
  readonly state: PlatformState;
  logFile(name: string): string;
  /** Sends the signal; default SIGKILL. The process is started again when that ends it. */
  kill(name: string, signal?: NodeJS.Signals): void;
  /** Resolves when the process that runs under this name at the moment is ready. */
  untilReady(name: string): Promise<void>;
  /** Builds the chat, the console and the documentation of this checkout beside the platform, unless they are up to date. Returns at once. */
  buildPages(): void;
  /** Ends everything in reverse order; the data stays. */
  stop(): Promise<void>;
  /** Ends everything at once, for a platform whose data is of no use any more: it may be incomplete. */
  discard(): Promise<void>;
};

/**
 * Starts the whole platform and keeps it running. Fails with one clear sentence, for example when the folder or the port is
 * in use.
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const folder = openDataFolder(options.dataDir);
  const unlock = lockFolder(folder.root, folder.lock);
  try {
    makePrivate(folder.root);
    await requireFreePort(options.port);
    return await bringUp(options, folder, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function requireFreePort(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const code = await tryPort(port, host);
    if (code === undefined) continue;
    const problem = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`;
    throw new Error(`Port ${port} ${problem}: set PARLEY_PORT to another one, for example ${port + 10}.`);
  }
}

async function bringUp(options: PlatformOptions, folder: DataFolder, unlock: () => void): Promise<Platform> {
  const plan = await makePlan(options, folder);
  const runFolder = openRunFolder(folder.runs);
  let demo: DemoApp | undefined;
  let complete = false;
  const currentState = () => stateOf(plan, supervisor, demo);
  const writeState = () => {
    if (complete) writeJsonFile(folder.state, currentState());
  };
  const report = options.report ?? (() => {});
  const supervisor = createSupervisor({ folder, runFolder, report, changed: writeState });
  let stopped: Promise<void> | undefined;
  let building: PageBuilds | undefined;
  const stop = () => (stopped ??= end(() => supervisor.stop()));
  const discard = () => (stopped ??= end(() => supervisor.discard()));
  const end = async (endProcesses: () => Promise<void>) => {
    complete = false;
    await building?.stop();
    rmSync(folder.state, { force: true });
    await endProcesses();
    rmSync(runFolder, { recursive: true, force: true });
    unlock();
  };
  options.signal?.addEventListener('abort', () => void stop());
  try {
    const entries = options.catalog ?? platformCatalog();
    const migrate = prepareMigration(folder, plan);
    await supervisor.start(plan.infra.processes);
    const definitions = await describeProcesses({ ...plan, entries });
    // Processes of another catalog may know no migration.
    await Promise.all([
      supervisor.start(...byKind(definitions)),
      migrate(options.catalog ? [] : definitions),
    ]);
    if (options.demo ?? true) demo = await startDemo(plan, folder, supervisor);
  } catch (error) {
    await stop();
    throw error;
  }
  complete = true;
  writeState();
  return {
    baseUrl: plan.wiring.baseUrl,
    get state() {
      return currentState();
    },
    logFile: folder.log,
    kill: (name, signal = 'SIGKILL') => supervisor.find(name).signal(signal),
    untilReady: (name) => supervisor.find(name).untilReady(),
    buildPages: () => {
      building ??= startPageBuilds({ runFolder, logFile: folder.log, report });
    },
    stop,
    discard,
  };
}

// The application first, since its login backend serves nothing else.
async function startDemo(plan: Plan, folder: DataFolder, supervisor: Supervisor): Promise<DemoApp> {
  const { baseUrl, secrets } = plan.wiring;
  const isFirst = !existsSync(folder.demo);
  const demo = await obtainDemoApp(folder, baseUrl, secrets.admin_token);
  await supervisor.start(await describeProcesses({ ...plan, entries: [DEMO_ENTRY] }));
  const running = rememberLogin(folder, demo, listProcesses(supervisor.members));
  if (isFirst) await logIn(running.login_url, 'grace');
  return running;
}

// Processes stop before those that they call, so that these take their last figures.
const STOPS_LAST = ['identity', 'messaging'];

function byKind(definitions: ProcessDefinition[]): ProcessDefinition[][] {
  function groupOf({ kind, name }: ProcessDefinition): number {
    const order = STOPS_LAST.findIndex((service) => name === service || name.startsWith(`${service}-`));
    if (order !== -1) return order;
    return STOPS_LAST.length + (kind === 'gateway' ? 1 : 0);
  }
  const groups = Array.from({ length: STOPS_LAST.length + 2 }, (_, index) => index);
  return groups.map((group) => definitions.filter((one) => groupOf(one) === group));
}
