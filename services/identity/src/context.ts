import { newId } from '@parley/domain/ids';
import { createWire, type Wire } from '@parley/domain/wire';
import { limits } from '@parley/domain/limits';
import { connectBus, type Bus } from '@parley/kit/bus';
import { systemClock, type Clock } from '@parley/kit/clock';
import { createLogger, type Logger } from '@parley/kit/log';
import { createMetrics, type Metrics } from '@parley/kit/metrics';
import { createOutbox, type Outbox } from '@parley/kit/outbox';
import { createDatabase, type Database, type DatabaseTestOptions } from '@parley/kit/postgres';
import type { Stopper } from '@parley/kit/process';
import { createRebroadcast, type Rebroadcast } from '@parley/kit/rebroadcast';
import type { Config } from './config.ts';
import { createEmit, type Emit } from './events/emit.ts';
import { createFollowing, type Following } from './relation/following-lists.ts';
import { createVerificationKeys, type VerificationKeys } from './identity-token/verification-keys.ts';

/** Everything that opens, waits or is random; what the calls of this service work with. */
export type Context = {
  config: Config;
  wire: Wire;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  db: Database;
  bus: Bus;
  outbox: Outbox;
  emit: Emit;
  rebroadcast: Rebroadcast;
  following: Following;
  verificationKeys: VerificationKeys;
  /** A uuid of version 7. */
  newId(): string;
};

/** What a test puts in the place of the real one. */
export type Overrides = { clock?: Clock; database?: DatabaseTestOptions; log?: Logger };

/** Opens what the service needs, and leaves to `stopper` to close it. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLogger({ service: 'identity', level: config.logLevel });
  const metrics = createMetrics('identity');
  const { databaseUrl, natsUrl, poolSize, liveShards } = config;
  const applicationName = 'parley-identity';
  const db = createDatabase({ url: databaseUrl, poolSize, log, applicationName, ...overrides.database });
  stopper.add('database', () => db.close());
  const largestMessage = limits.eventBytes;
  const bus = await connectBus({ url: natsUrl, name: 'identity', log, metrics, largestMessage });
  stopper.add('bus', () => bus.close());
  const outbox = createOutbox({ db, bus, log, clock, metrics });
  stopper.add('outbox', () => outbox.stop());
  const rebroadcast = createRebroadcast({ bus, clock });
  stopper.add('rebroadcast', () => rebroadcast.stop());
  return {
    config,
    wire: createWire(config.wireName),
    clock,
    log,
    metrics,
    db,
    bus,
    outbox,
    emit: createEmit({ outbox, clock, liveShards }),
    rebroadcast,
    following: createFollowing(db),
    verificationKeys: createVerificationKeys(),
    newId,
  };
}
