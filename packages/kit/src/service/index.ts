import { natsAccess } from './base.ts';
import type { Bus, StreamOptions } from '../bus/index.ts';
import { migrateStream } from '../bus/streams.ts';
import { followDatabase } from '../postgres/database-clock.ts';
import { isNear, type FollowedClock } from '../runtime/clock/followed-clock.ts';
import type { Logger } from '../runtime/telemetry/log.ts';
import { serveMetrics } from '../http/metrics-server.ts';
import type { Metrics } from '../runtime/telemetry/metrics.ts';
import { migrate } from '../postgres/migrate.ts';
import type { CellPlan } from '../runtime/config/cell-plan.ts';
import type { Database } from '../postgres/index.ts';
import { createStopper, runProcess, runTask, type Running, type Stopper } from '../runtime/process.ts';
import { createRpcServer, type RpcServer } from '../rpc/server.ts';
import type { ServiceConfig } from '../runtime/config/service-settings.ts';
import type { TlsSource } from '../runtime/tls/folder.ts';
import { startTracing } from '../runtime/telemetry/tracing.ts';

/** Parts that every service has opened. */
type Opened = {
  log: Logger;
  metrics: Metrics;
  db: Database;
  bus: Bus;
  tls?: TlsSource | undefined;
  followedClock?: FollowedClock | undefined;
};

export type RunningService<Context> = Running & {
  address: { rpc_port: number; metrics_port: number };
  context: Context;
};

export type ServiceOptions<Context extends Opened> = {
  name: string;
  config: ServiceConfig;
  migrations: URL;
  /** The stream of its own events, or of those that it consumes. */
  stream: StreamOptions;
  /** Absent for a service without cells. */
  cells?: CellPlan | undefined;
  /** Default false: where NATS has users, its consumers wait for a missing stream, and others create it. */
  createsStream?: boolean;
  /** Opens the parts that the service works with; `stopper` closes them. */
  open(stopper: Stopper): Promise<Context>;
  /** Mounts the RPCs, and starts consumers and jobs. */
  start(context: Context, parts: { server: RpcServer; stopper: Stopper }): void | Promise<void>;
};

const RPC_GRACE_MS = 10_000;

/** Resolves when the service answers. When it cannot start, closes the parts that were opened. */
export async function startService<Context extends Opened>(
  options: ServiceOptions<Context>,
): Promise<RunningService<Context>> {
  const stopper = createStopper();
  try {
    return await start(options, stopper);
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}

async function start<Context extends Opened>(
  options: ServiceOptions<Context>,
  stopper: Stopper,
): Promise<RunningService<Context>> {
  const { name, config, migrations, stream } = options;
  stopper.add('tracing', await startTracing({ service: name, endpoint: config.otlpEndpoint }));
  const context = await options.open(stopper);
  const { log, metrics, db, bus, tls, followedClock: clock } = context;
  await migrate({ url: config.databaseUrl, dir: migrations, log, cells: options.cells });
  if (clock) stopper.add('clock', await followDatabase({ db, clock, log }));
  if (options.createsStream || config.natsPassword === undefined) await bus.ensureStream(stream);
  const server = createRpcServer({
    log,
    metrics,
    secret: config.rpcSecret,
    acceptedSecrets: config.acceptedRpcSecrets,
    tls,
  });
  await options.start(context, { server, stopper });
  const rpcPort = await server.listen(config.rpcPort, config.internalHost);
  stopper.add('rpc', () => server.stop(RPC_GRACE_MS));
  const ready = async () =>
    (await db.execute({ text: 'select 1' })) === 1 && bus.takesLargest && (!clock || isNear(clock));
  const metricsServer = await serveMetrics({
    port: config.metricsPort,
    host: config.internalHost,
    metrics,
    ready,
  });
  stopper.add('metrics', () => metricsServer.stop());
  const address = { rpc_port: rpcPort, metrics_port: metricsServer.port };
  return { context, address, stop: () => stopper.stop() };
}

export type ServiceDefinition<Config extends ServiceConfig, Overrides, Context extends Opened> = Omit<
  ServiceOptions<Context>,
  'config' | 'stream' | 'open' | 'cells'
> & {
  stream(config: Config): StreamOptions;
  cells?(config: Config): CellPlan;
  open(config: Config, overrides: Overrides, stopper: Stopper): Promise<Context>;
};

/** The function that starts a service with a configuration and, in tests, with replacements of its parts. */
export function defineService<Config extends ServiceConfig, Overrides extends object, Context extends Opened>(
  definition: ServiceDefinition<Config, Overrides, Context>,
): (config: Config, overrides?: Partial<Overrides>) => Promise<RunningService<Context>> {
  const { stream, open, cells, ...rest } = definition;
  return (config, overrides = {}) =>
    startService({
      ...rest,
      config,
      stream: stream(config),
      cells: cells?.(config),
      open: (stopper) => open(config, overrides as Overrides, stopper),
    });
}

export type ServiceProgram<Config extends ServiceConfig> = {
  name: string;
  migrations: URL;
  readConfig(): Config;
  createService(config: Config): Promise<Running>;
  /** Cells of the service's database, if it has cells. */
  cells?(config: Config): CellPlan;
  /** The stream that it migrates besides its database: that is for one service to do. */
  migratedStream?(config: Config): StreamOptions;
};

/** Name of the user who may change streams. */
const MIGRATION = 'migration';

/** A service's process. With the argument `migrate` it only migrates its database and stream, as a Job does before a rollout. */
export async function runService<Config extends ServiceConfig>(
  program: ServiceProgram<Config>,
): Promise<void> {
  const { name, migrations, readConfig, createService, migratedStream, cells } = program;
  if (process.argv[2] !== 'migrate') return runProcess(name, () => createService(readConfig()));
  return runTask(name, async (log) => {
    const config = readConfig();
    await migrate({ url: config.databaseUrl, dir: migrations, log, cells: cells?.(config) });
    if (migratedStream) await migrateStream(natsAccess(MIGRATION, config), migratedStream(config));
  });
}
