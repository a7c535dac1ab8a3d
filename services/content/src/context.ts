import { createClient, type Client, type Transport } from '@connectrpc/connect';
import type { FolderStore } from '@parley/blobs/folder/store';
import { openBlobStore } from '@parley/blobs/settings';
import type { BlobStore } from '@parley/blobs/store';
import {
  createContentAddresses,
  DOWNLOAD_PATH,
  type ContentAddresses,
} from '@parley/domain/content-addresses';
import { newId } from '@parley/domain/ids';
import { createWire, type Wire } from '@parley/domain/wire';
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
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ScheduleService } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import type { Config } from './config.ts';
import { createUploadTokens, type UploadTokens } from './upload/find-by-token.ts';
import { createTransfers, type Transfers } from './upload/transfer-limiter.ts';

/** Everything that opens, waits or is random; what the calls of this service work with. */
export type Context = {
  config: Config;
  wire: Wire;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  db: Database;
  /** What calls for one application take of the connections. */
  shares: PoolShares;
  uploadTokens: UploadTokens;
  bus: Bus;
  blobs: BlobStore;
  /** Set where the blobs are in a folder, which this service has to serve itself. */
  folder: FolderStore | undefined;
  downloads: ContentAddresses;
  transfers: Transfers;
  messaging: Client<typeof MessagingService>;
  schedules: Client<typeof ScheduleService>;
  /** Aborts when the service stops: uploads keep what came and end. */
  stopping: AbortController;
  /** A uuid of version 7. */
  newId(): string;
};

/** What a test puts in the place of the real one. */
export type Overrides = {
  clock?: Clock;
  database?: DatabaseTestOptions;
  log?: Logger;
  messagingTransport?: Transport;
};

/** Opens what the service needs, and leaves to `stopper` to close it. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLogger({ service: 'content', level: config.logLevel });
  const metrics = createMetrics('content');
  const { databaseUrl, natsUrl, poolSize, contentUrl, contentSecret } = config;
  const applicationName = 'parley-content';
  const db = createDatabase({ url: databaseUrl, poolSize, log, applicationName, ...overrides.database });
  stopper.add('database', () => db.close());
  const largestMessage = limits.eventBytes;
  const bus = await connectBus({ url: natsUrl, name: 'content', log, metrics, largestMessage });
  stopper.add('bus', () => bus.close());
  const downloads = createContentAddresses({ base: contentUrl + DOWNLOAD_PATH, secret: contentSecret });
  return {
    ...{ config, clock, log, metrics, db, bus, downloads, newId },
    ...(await openBlobStore(config.blobs)),
    wire: createWire(config.wireName),
    ...messagingClients(config, overrides, log, stopper),
    transfers: createTransfers(config.maxTransfers),
    shares: createPoolShares({ poolSize, refusal: tooManyAtOnce }),
    uploadTokens: createUploadTokens({ config, clock, db }),
    stopping: new AbortController(),
  };
}

/** The context of a request that is about one application's upload or content. */
export function contextOf(ctx: Context, appId: string): Context {
  return { ...ctx, db: shareOf(ctx.db, ctx.shares, appId) };
}

function messagingClients(
  config: Config,
  overrides: Overrides,
  log: Logger,
  stopper: Stopper,
): Pick<Context, 'messaging' | 'schedules'> {
  const given = overrides.messagingTransport;
  if (given) {
    return {
      messaging: createClient(MessagingService, given),
      schedules: createClient(ScheduleService, given),
    };
  }
  const { messagingAddress: address, rpcSecret: secret } = config;
  const channel = createRpcChannel({ address, secret, log });
  stopper.add('channel to messaging', () => channel.close());
  return { messaging: channel.client(MessagingService), schedules: channel.client(ScheduleService) };
}
