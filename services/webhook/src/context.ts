import { createClient, type Client, type Transport } from '@connectrpc/connect';
import {
  createContentAddresses,
  DOWNLOAD_PATH,
  type ContentAddresses,
} from '@parley/domain/content-addresses';
import { newId } from '@parley/domain/ids';
import { createWire, type Wire } from '@parley/domain/wire';
import { limits } from '@parley/domain/limits';
import { connectBus, type Bus } from '@parley/kit/bus';
import { systemClock, type Clock } from '@parley/kit/clock';
import { createLogger, type Logger } from '@parley/kit/log';
import { createMetrics, type Metrics } from '@parley/kit/metrics';
import { createDatabase, type Database, type DatabaseTestOptions } from '@parley/kit/postgres';
import type { Stopper } from '@parley/kit/process';
import { createRpcChannel } from '@parley/kit/rpc-client';
import { createSealer, type Sealer } from '@parley/kit/seal';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Config } from './config.ts';
import { createTargetClient, type TargetClient } from './target/client.ts';
import { createResolve, type Resolve } from './target/resolve.ts';

/** Everything that opens, waits or is random; what the calls of this service work with. */
export type Context = {
  config: Config;
  wire: Wire;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  db: Database;
  bus: Bus;
  messaging: Client<typeof MessagingService>;
  sealer: Sealer;
  targets: TargetClient;
  /** Signs the download addresses of content. */
  contents: ContentAddresses;
  /** A uuid of version 7. */
  newId(): string;
  /** From 0 to 1. */
  random(): number;
};

/** What a test puts in the place of the real one. */
export type Overrides = {
  clock?: Clock;
  database?: DatabaseTestOptions;
  log?: Logger;
  messagingTransport?: Transport;
  resolve?: Resolve;
  /** Certificate authority of targets, besides the usual ones. */
  ca?: string;
};

/** Opens what the service needs, and leaves to `stopper` to close it. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLogger({ service: 'webhook', level: config.logLevel });
  const metrics = createMetrics('webhook');
  const { databaseUrl, natsUrl, poolSize } = config;
  const applicationName = 'parley-webhook';
  const db = createDatabase({ url: databaseUrl, poolSize, log, applicationName, ...overrides.database });
  stopper.add('database', () => db.close());
  const largestMessage = limits.eventBytes;
  const bus = await connectBus({ url: natsUrl, name: 'webhook', log, metrics, largestMessage });
  stopper.add('bus', () => bus.close());
  const messaging = messagingClient(config, overrides, log, stopper);
  const resolve = overrides.resolve ?? createResolve();
  const targets = createTargetClient(config, { resolve, ca: overrides.ca });
  stopper.add('targets', () => targets.close());
  const sealer = createSealer(config.encryptionKey, 'parley webhook secrets');
  const wire = createWire(config.wireName);
  const { contentUrl, contentSecret: secret } = config;
  const contents = createContentAddresses({ base: contentUrl + DOWNLOAD_PATH, secret });
  const opened = { config, wire, clock, log, metrics, db, bus, messaging, sealer, targets, contents };
  return { ...opened, newId, random: Math.random };
}

function messagingClient(
  config: Config,
  overrides: Overrides,
  log: Logger,
  stopper: Stopper,
): Client<typeof MessagingService> {
  if (overrides.messagingTransport) return createClient(MessagingService, overrides.messagingTransport);
  const channel = createRpcChannel({
    address: config.messagingAddress,
    secret: config.rpcSecret,
    log,
  });
  stopper.add('channel to messaging', () => channel.close());
  return channel.client(MessagingService);
}
