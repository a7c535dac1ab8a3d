import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { newId } from '@parley/domain/ids';
import { limits } from '@parley/domain/limits';
import { connectBus, type Bus } from '@parley/kit/bus';
import { systemClock, type Clock } from '@parley/kit/clock';
import { createLogger, type Logger } from '@parley/kit/log';
import { createMetrics, type Metrics } from '@parley/kit/metrics';
import { createOutbox, type Outbox } from '@parley/kit/outbox';
import { createDatabase, type Database, type DatabaseTestOptions } from '@parley/kit/postgres';
import type { Stopper } from '@parley/kit/process';
import { createRebroadcast } from '@parley/kit/rebroadcast';
import { createRpcChannel } from '@parley/kit/rpc-client';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Config } from './config.ts';
import { createEmit, type Emit } from './events/emit.ts';
import { createSenders, type Senders } from './announcement/senders.ts';

/** Everything that opens, waits or is random; what the calls of this service work with. */
export type Context = {
  config: Config;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  db: Database;
  bus: Bus;
  outbox: Outbox;
  emit: Emit;
  identity: Client<typeof IdentityService>;
  senders: Senders;
  /** A uuid of version 7. */
  newId(): string;
};

/** What a test puts in the place of the real one. */
export type Overrides = {
  clock?: Clock;
  database?: DatabaseTestOptions;
  log?: Logger;
  identityTransport?: Transport;
};

/** Opens what the service needs, and leaves to `stopper` to close it. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLogger({ service: 'announcement', level: config.logLevel });
  const metrics = createMetrics('announcement');
  const { databaseUrl, natsUrl, poolSize, liveShards } = config;
  const applicationName = 'parley-announcement';
  const db = createDatabase({ url: databaseUrl, poolSize, log, applicationName, ...overrides.database });
  stopper.add('database', () => db.close());
  const largestMessage = limits.eventBytes;
  const bus = await connectBus({ url: natsUrl, name: 'announcement', log, metrics, largestMessage });
  stopper.add('bus', () => bus.close());
  const outbox = createOutbox({ db, bus, log, clock, metrics });
  stopper.add('outbox', () => outbox.stop());
  const identity = createClient(
    IdentityService,
    overrides.identityTransport ?? openTransport(config, log, stopper),
  );
  const rebroadcast = createRebroadcast({ bus, clock });
  stopper.add('rebroadcast', () => rebroadcast.stop());
  const emit = createEmit({ outbox, rebroadcast: rebroadcast, clock, liveShards });
  const senders = createSenders(identity);
  return { config, clock, log, metrics, db, bus, outbox, emit, identity, senders, newId };
}

function openTransport({ identityAddress, rpcSecret }: Config, log: Logger, stopper: Stopper): Transport {
  const channel = createRpcChannel({ address: identityAddress, secret: rpcSecret, log });
  stopper.add('channel to identity', () => channel.close());
  return channel.transport;
}
