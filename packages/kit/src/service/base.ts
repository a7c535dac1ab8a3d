import { connectBus, type Bus } from '../bus/index.ts';
import type { NatsAccess } from '../bus/connect.ts';
import type { Clock } from '../runtime/clock/index.ts';
import { createFollowedClock, type FollowedClock } from '../runtime/clock/followed-clock.ts';
import { createLogger, type Logger } from '../runtime/telemetry/log.ts';
import { createMetrics, metricsOfCell, type Metrics } from '../runtime/telemetry/metrics.ts';
import { createCluster, type Cluster } from '../postgres/cells/cluster.ts';
import type { Cell } from '../postgres/cells/place.ts';
import { cellNames, type CellPlan } from '../runtime/config/cell-plan.ts';
import { createDatabase, type Database, type DatabaseTestOptions } from '../postgres/index.ts';
import { createEpochs, type ConnectionEpochs, type Epochs } from '../postgres/epoch.ts';
import type { Stopper } from '../runtime/process.ts';
import { expiryOf, openTlsFolder, type TlsSource } from '../runtime/tls/folder.ts';
import type { CallerConfig, ProcessConfig, ServiceConfig } from '../runtime/config/service-settings.ts';

/** Parts that every process of the platform opens. A process that has no others calls services alone. */
export type CallerBase = {
  clock: Clock;
  /** Equal to `clock`; undefined in tests with a clock of their own. */
  followedClock: FollowedClock | undefined;
  log: Logger;
  metrics: Metrics;
  /** Certificates for calls between processes; undefined where they are made without TLS. */
  tls: TlsSource | undefined;
};

/** Parts of a process that is connected to NATS. */
export type Base = CallerBase & { bus: Bus };

/** Parts that every service opens. */
export type ServiceBase = Base & { db: Database };

/** And those of a service whose records have numbers that other processes keep. */
export type EpochBase = ServiceBase & { epochs: Epochs & ConnectionEpochs };

/** Replacements for tests. */
export type BaseOverrides = { clock?: Clock; log?: Logger };
export type ServiceBaseOverrides = BaseOverrides & { database?: DatabaseTestOptions };

export type BaseOptions<Config, Overrides> = {
  /** Name of the process in logs and metrics, and towards servers. */
  name: string;
  config: Config;
  overrides: Overrides;
  /** Closes the opened parts. */
  stopper: Stopper;
  /** Bytes of the largest event: the process is not ready while NATS accepts less. */
  largestMessage: number;
};

type CallerOptions = Omit<BaseOptions<CallerConfig, BaseOverrides>, 'largestMessage'>;

/** Opens clock, log, metrics and the connection to NATS. */
export async function openBase(options: BaseOptions<ProcessConfig, BaseOverrides>): Promise<Base> {
  const base = openCallerBase(options);
  const bus = await openBus(options, base);
  return { ...base, bus };
}

/** Opens clock, log and metrics. */
export function openCallerBase(options: CallerOptions): CallerBase {
  const { name, overrides } = options;
  const log = openLog(options);
  const metrics = createMetrics(name);
  const tls = openTls(options, { log, metrics });
  return { ...openClock(overrides, metrics), log, metrics, tls };
}

/** Opens the parts of a service that has the table of epochs. */
export async function openEpochBase(
  options: BaseOptions<ServiceConfig, ServiceBaseOverrides>,
): Promise<EpochBase> {
  const epochs = createEpochs(openLog(options));
  return { ...(await openServiceBase({ ...options, epochs })), epochs };
}

/** Parts of a service for one of its cells; those that do not depend on the database are the same for all. */
export type CellBase = EpochBase & {
  /** Undefined: the service has one cell, in the schema `public`. */
  cell: Cell | undefined;
  /** The database for changes of tables: Citus takes them by its coordinator. */
  tables: Database;
  /** Updates what depends on the tables, after a change of them. */
  afterTableChange(): Promise<void>;
};

/** Opens the parts of a service with cells, in the order of its cells. */
export async function openCellBases(
  options: BaseOptions<ServiceConfig, ServiceBaseOverrides> & { cells: CellPlan },
): Promise<CellBase[]> {
  const { cells } = options;
  const log = openLog(options);
  const metrics = createMetrics(options.name);
  const url = options.config.databaseUrl;
  const cluster = cells.kind === 'citus' ? createCluster({ url, log }) : undefined;
  const opened = cells.kind === 'one' ? [undefined] : cellNames(cells);
  const own = opened.map((name) => {
    if (name === undefined) return openCell(options, { log, metrics, cell: undefined });
    const cell: Cell = cluster ? { name, placement: cluster.placementOf(name) } : { name };
    return openCell(options, { log, metrics: metricsOfCell(metrics, name), cell, cluster });
  });
  const tls = openTls(options, { log, metrics });
  const bus = await openBus(options, { log, metrics });
  const common = { ...openClock(options.overrides, metrics), bus, tls };
  return own.map((parts) => Object.assign(parts, common));
}

type CellParts = Pick<Base, 'log' | 'metrics'> & { cell: Cell | undefined; cluster?: Cluster | undefined };

/** Citus plans no statement whose parameters it does not see. */
const OF_COORDINATOR = ['plan_cache_mode=force_custom_plan', 'enable_hashjoin=on', 'enable_seqscan=on'];

function openCell(
  { name, config, overrides, stopper }: BaseOptions<ServiceConfig, ServiceBaseOverrides>,
  { log, metrics, cell, cluster }: CellParts,
) {
  const { databaseUrl: url, poolSize } = config;
  const epochs = createEpochs(log, undefined, { mayMove: cluster !== undefined });
  const applicationName = `parley-${name}`;
  const settings = { url, log, applicationName, ...overrides.database };
  const db = createDatabase({ ...settings, poolSize, metrics, epochs, cell });
  stopper.add('database', () => db.close());
  if (!cluster || !cell)
    return { log, metrics, epochs, db, cell, tables: db, afterTableChange: () => Promise.resolve() };
  const own = { cell: { name: cell.name }, sessionSettings: OF_COORDINATOR };
  const tables = createDatabase({ ...settings, ...own, poolSize: 2 });
  stopper.add('database for changes of tables', () => tables.close());
  const afterTableChange = () => cluster.settleTables(cell.name);
  return { log, metrics, epochs, db, cell, tables, afterTableChange };
}

/** Opens the same parts and the database, which is closed last. */
export async function openServiceBase(
  options: BaseOptions<ServiceConfig, ServiceBaseOverrides> & { epochs?: ConnectionEpochs },
): Promise<ServiceBase> {
  const { name, config, overrides, stopper, epochs } = options;
  const { databaseUrl: url, poolSize } = config;
  const log = openLog(options);
  const metrics = createMetrics(name);
  const applicationName = `parley-${name}`;
  const db = createDatabase({ url, poolSize, log, metrics, epochs, applicationName, ...overrides.database });
  stopper.add('database', () => db.close());
  const tls = openTls(options, { log, metrics });
  const bus = await openBus(options, { log, metrics });
  return { ...openClock(overrides, metrics), log, metrics, bus, tls, db };
}

function openClock({ clock: own }: BaseOverrides, metrics: Metrics): Pick<Base, 'clock' | 'followedClock'> {
  if (own) return { clock: own, followedClock: undefined };
  const clock = createFollowedClock();
  metrics.reading({
    name: 'clock_ahead_seconds',
    help: 'By how much the clock of the machine is ahead of the database that the process follows.',
    read: () => clock.machineAheadMs() / 1000,
  });
  return { clock, followedClock: clock };
}

function openLog({ name, config, overrides }: CallerOptions): Logger {
  return overrides.log ?? createLogger({ service: name, level: config.logLevel });
}

function openTls(
  { config, stopper }: Pick<CallerOptions, 'config' | 'stopper'>,
  { log, metrics }: Pick<Base, 'log' | 'metrics'>,
): TlsSource | undefined {
  if (config.tlsFolder === undefined) return undefined;
  const folder = openTlsFolder(config.tlsFolder, log);
  metrics.reading({
    name: 'tls_certificate_expiry_seconds',
    help: 'When the certificate in use ends, in seconds since the epoch.',
    read: () => expiryOf(folder.current()) / 1000,
  });
  stopper.add('certificates', folder.stop);
  return folder;
}

/** How a process of that name connects to NATS. */
export function natsAccess(name: string, config: ProcessConfig): NatsAccess {
  const { natsUrl: url, natsUser: user, natsPassword: password, natsTlsFolder, tlsFolder } = config;
  const ofCalls = url.includes('tls://') ? tlsFolder : undefined;
  return { name, url, user, password, tlsFolder: natsTlsFolder ?? ofCalls };
}

async function openBus(
  { name, config, stopper, largestMessage }: BaseOptions<ProcessConfig, BaseOverrides>,
  { log, metrics }: Pick<Base, 'log' | 'metrics'>,
): Promise<Bus> {
  const bus = await connectBus({ ...natsAccess(name, config), log, metrics, largestMessage });
  stopper.add('bus', () => bus.close());
  return bus;
}
