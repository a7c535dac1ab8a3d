import type { Client, Transport } from '@connectrpc/connect';
import { createClient } from '@connectrpc/connect';
import { newId } from '@parley/domain/ids';
import { connectBus, type Bus } from '@parley/kit/bus';
import { systemClock, type Clock } from '@parley/kit/clock';
import { createLogger, type Logger } from '@parley/kit/log';
import { createMetrics, type Metrics } from '@parley/kit/metrics';
import { createOutbox, type Outbox } from '@parley/kit/outbox';
import { createDatabase, type Database } from '@parley/kit/postgres';
import type { Stopper } from '@parley/kit/process';
import { createRpcChannel } from '@parley/kit/rpc-client';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import type { Config } from './config.ts';
import { createHeads, type Heads } from './heads.ts';
import { createIdentities, type Identities } from './identities.ts';

/** Everything that opens, waits or is random; what the calls of this service work with. */
export type Context = {
  config: Config;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  db: Database;
  bus: Bus;
  outbox: Outbox;
  identities: Identities;
  pushTokens: Client<typeof PushTokenService>;
  heads: Heads;
  /** A uuid of version 7. */
  newId(): string;
};

/** What a test puts in the place of the real one. */
export type Overrides = {
  clock?: Clock;
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
  const log = overrides.log ?? createLogger({ service: 'messaging', level: config.logLevel });
  const metrics = createMetrics('messaging');
  const { databaseUrl, natsUrl, poolSize } = config;
  const db = createDatabase({ url: databaseUrl, poolSize, log, applicationName: 'parley-messaging' });
  stopper.add('database', () => db.close());
  const bus = await connectBus({ url: natsUrl, name: 'messaging', log, metrics });
  stopper.add('bus', () => bus.close());
  const outbox = createOutbox({ db, bus, log, clock, metrics });
  stopper.add('outbox', () => outbox.stop());
  const heads = createHeads({ bus, clock, shards: config.liveShards });
  stopper.add('heads', () => heads.stop());
  const identity = openIdentity(config, overrides, log, stopper);
  const identities = createIdentities({ db, client: createClient(IdentityService, identity) });
  stopper.add('identities', () => identities.stop());
  const pushTokens = createClient(PushTokenService, identity);
  return { config, clock, pushTokens, log, metrics, db, bus, outbox, identities, heads, newId };
}

function openIdentity(config: Config, overrides: Overrides, log: Logger, stopper: Stopper): Transport {
  if (overrides.identityTransport) return overrides.identityTransport;
  const { transport, close } = createRpcChannel({
    address: config.identityAddress,
    secret: config.rpcSecret,
    log,
    idempotent: [IdentityService.method.findIdentities, PushTokenService.method.listPushTargets],
  });
  stopper.add('channel to identity', close);
  return transport;
}
