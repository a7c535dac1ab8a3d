import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { openBlobStore } from '@parley/blobs/settings';
import type { BlobStore } from '@parley/blobs/store';
import { newId } from '@parley/domain/ids';
import type { View } from '@parley/domain/json/view';
import { createWire } from '@parley/domain/wire';
import { limits } from '@parley/domain/limits';
import { tooManyAtOnce } from '@parley/domain/problems';
import { connectBus, type Bus } from '@parley/kit/bus';
import { systemClock, type Clock } from '@parley/kit/clock';
import { createLogger, type Logger } from '@parley/kit/log';
import { createMetrics, type Metrics } from '@parley/kit/metrics';
import { createDatabase, type Database, type DatabaseTestOptions } from '@parley/kit/postgres';
import { createPoolShares, shareOf, type PoolShares } from '@parley/kit/pool-shares';
import type { Stopper } from '@parley/kit/process';
import { createRpcChannel } from '@parley/kit/rpc-client';
import { ExportSourceService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Config } from './config.ts';
import { createTurns, type Turns } from './run/page-turns.ts';

/** Everything that opens, waits or is random; what the calls of this service work with. */
export type Context = {
  config: Config;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  db: Database;
  /** What calls for one application take of the connections. */
  shares: PoolShares;
  bus: Bus;
  blobs: BlobStore;
  source: Client<typeof ExportSourceService>;
  /** Aborts when the service stops: runs end, and are begun anew by whoever comes next. */
  stopping: AbortController;
  turns: Turns;
  /** How archives show the records of an app. */
  viewOf(appId: string): View;
  /** A uuid of version 7. */
  newId(): string;
};

/** What a test puts in the place of the real one. */
export type Overrides = {
  clock?: Clock;
  database?: DatabaseTestOptions;
  log?: Logger;
  sourceTransport?: Transport;
  blobs?: BlobStore;
};

/** Opens what the service needs, and leaves to `stopper` to close it. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLogger({ service: 'export', level: config.logLevel });
  const metrics = createMetrics('export');
  const { databaseUrl, natsUrl, poolSize, publicUrl } = config;
  const applicationName = 'parley-export';
  const db = createDatabase({ url: databaseUrl, poolSize, log, applicationName, ...overrides.database });
  stopper.add('database', () => db.close());
  const largestMessage = limits.eventBytes;
  const bus = await connectBus({ url: natsUrl, name: 'export', log, metrics, largestMessage });
  stopper.add('bus', () => bus.close());
  const wire = createWire(config.wireName);
  return {
    ...{ config, clock, log, metrics, db, bus, newId },
    shares: createPoolShares({ poolSize, refusal: tooManyAtOnce }),
    blobs: overrides.blobs ?? (await openBlobStore(config.blobs)).blobs,
    source: sourceClient(config, overrides, log, stopper),
    stopping: new AbortController(),
    turns: createTurns(config.concurrency),
    viewOf: (appId) => ({ wire, baseUrl: publicUrl, audience: 'server', appId }),
  };
}

/** The context of a call for one application: its statements and transactions take the application's share. */
export function contextOf(ctx: Context, appId: string): Context {
  return { ...ctx, db: shareOf(ctx.db, ctx.shares, appId) };
}

function sourceClient(
  config: Config,
  overrides: Overrides,
  log: Logger,
  stopper: Stopper,
): Client<typeof ExportSourceService> {
  if (overrides.sourceTransport) return createClient(ExportSourceService, overrides.sourceTransport);
  const { messagingAddress: address, rpcSecret: secret } = config;
  const channel = createRpcChannel({
    address,
    secret,
    log,
  });
  stopper.add('channel to messaging', () => channel.close());
  return channel.client(ExportSourceService);
}
