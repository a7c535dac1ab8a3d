import type { Client, Transport } from '@connectrpc/connect';
import { createClient } from '@connectrpc/connect';
import { newId } from '@parley/domain/ids';
import { limits } from '@parley/contract/limits';
import { tooManyAtOnce } from '@parley/domain/problems';
import { isLogged } from '@parley/domain/events/logged';
import type { WaitingTurns } from '@parley/kit/flow/batch';
import {
  openCellBases,
  type CellBase,
  type EpochBase,
  type ServiceBaseOverrides,
} from '@parley/kit/service/base';
import { createPoolShares, type PoolShares } from '@parley/kit/postgres/pool-shares';
import { createOutbox, type Outbox } from '@parley/kit/durable/outbox';
import { createDatabase, type Database } from '@parley/kit/postgres';
import { openFigures, type Figures } from '@parley/usage/recorder';
import type { Stopper } from '@parley/kit/runtime/process';
import { openChannel } from '@parley/kit/rpc/open-channel';
import { FigureService } from '@parley/proto/parley/identity/v1/figure_service_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { createCells, type Cells } from './cells/index.ts';
import { firstReachable } from './cells/reachable.ts';
import type { Config } from './config.ts';
import { createChangeTurns, createLockTurns, directConnections } from './transaction/contention.ts';
import { createHeads, type Heads } from './live/heads.ts';
import { createWithdrawals, type Withdrawals } from './push/withdrawals.ts';
import { createPublisherLiveness, type PublisherLiveness } from './live/publisher-liveness.ts';
import { createToldChanges, type ToldChanges } from './live/told-changes.ts';
import { deletePublisher } from './sql/log/live-publisher.ts';
import { createIdentityCopies, type IdentityCopies } from './identity/copies.ts';
import { createConversationCache, type ConversationCache } from './message/cached/conversation-cache.ts';

/** Parts that the RPCs, consumers and timers of one cell work with. A test may replace the parts named in `Overrides`. */
export type Context = CellBase & {
  config: Config;
  cells: Cells;
  /** The connections of sends and receipts, which no other work may take. */
  sendDb: Database;
  outbox: Outbox;
  identities: IdentityCopies;
  /** Copies of identities by the connections of sends, so that a sender does not wait for the identities of new participants. */
  sendIdentities: IdentityCopies;
  /** Limits how many connections of sends wait for locks of conversations. */
  lockTurns: WaitingTurns;
  /** Turns for all other connections. */
  changeTurns: WaitingTurns;
  /** Divides the connections, other than those of sends, among applications. */
  shares: PoolShares;
  pushTokens: Client<typeof PushTokenService>;
  apps: Client<typeof IdentityService>;
  /** Usage metrics, which the console's charts show. */
  figures: Figures;
  recording: Client<typeof FigureService>;
  heads: Heads;
  publisherLiveness: PublisherLiveness;
  withdrawals: Withdrawals;
  /** The latest changes that this process told. */
  told: ToldChanges;
  /** Conversations whose next messages can be stored without a read. */
  conversationCache: ConversationCache;
  /** A uuid of version 7. */
  newId(): string;
};

/** Replacements that a test may pass. */
export type Overrides = ServiceBaseOverrides & {
  identityTransport?: Transport;
};

/** The first cell's, by which the process follows the time and says whether it is ready, with those of all cells. */
export type ServiceContext = Context & { contexts: readonly Context[] };

/** Opens what the service needs. `stopper` closes it. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<ServiceContext> {
  const largestMessage = limits.eventBytes;
  const options = { name: 'messaging', config, overrides, stopper, largestMessage };
  const bases = await openCellBases({ ...options, cells: config.cells });
  const [base] = bases;
  if (!base) throw new Error('there is no cell');
  const common = openCommon(config, { base, overrides, stopper });
  const contexts = bases.map((one) => openCell(one, common, { config, overrides, stopper }));
  const [first] = contexts;
  if (!first || contexts.length === 1) return { ...first!, contexts };
  return { ...first, db: firstReachable(contexts.map(({ db }) => db)), contexts };
}

/** The parts that all cells share. */
function openCommon(
  config: Config,
  { base, overrides, stopper }: { base: EpochBase; overrides: Overrides; stopper: Stopper },
) {
  const { bus, clock, log, tls } = base;
  const { identityAddress: address, rpcSecret: secret, liveShards: shards } = config;
  const heads = createHeads({ bus, clock, shards });
  stopper.add('heads', () => heads.stop());
  const withdrawals = createWithdrawals({ bus, clock });
  stopper.add('hints of withdrawals', () => withdrawals.stop());
  const identity =
    overrides.identityTransport ?? openChannel({ name: 'identity', address, secret, tls, log }, stopper);
  const client = createClient(IdentityService, identity);
  const cells = createCells(config.cells.count, client);
  stopper.add('cells', () => cells.stop());
  return {
    config,
    cells,
    heads,
    withdrawals,
    apps: client,
    figures: openFigures(identity, base, stopper),
    recording: createClient(FigureService, identity),
    pushTokens: createClient(PushTokenService, identity),
    newId,
  };
}

function openCell(
  base: CellBase,
  common: ReturnType<typeof openCommon>,
  { config, overrides, stopper }: { config: Config; overrides: Overrides; stopper: Stopper },
): Context {
  const { clock, log, metrics, db, epochs, cell } = base;
  const { databaseUrl: url, poolSize, sendPoolSize } = config;
  const applicationName = 'parley-messaging-sends';
  const pooled = sendPoolSize - directConnections(sendPoolSize);
  const pool = { url, log, metrics, poolSize: pooled, epochs, cell, applicationName };
  const sendDb = createDatabase({ ...pool, ...overrides.database });
  stopper.add('database of sends', () => sendDb.close());
  const publisherLiveness = createPublisherLiveness(clock);
  stopper.add('publisher of live events', () => deletePublisher(db, publisherLiveness.id));
  const outbox = createOutbox({ ...base, isLogged });
  stopper.add('outbox', () => outbox.stop());
  const { apps: client } = common;
  const identities = createIdentityCopies({ db, client });
  stopper.add('identities', () => identities.stop());
  const sendIdentities = createIdentityCopies({ db: sendDb, client });
  stopper.add('identities of sends', () => sendIdentities.stop());
  return {
    ...base,
    ...common,
    sendDb,
    outbox,
    publisherLiveness,
    told: createToldChanges(epochs),
    conversationCache: openConversationCache(base),
    identities,
    sendIdentities,
    lockTurns: createLockTurns(sendPoolSize),
    changeTurns: createChangeTurns(poolSize),
    shares: createPoolShares({ poolSize, refusal: tooManyAtOnce }),
  };
}

function openConversationCache({ metrics, epochs }: EpochBase): ConversationCache {
  const cache = createConversationCache(metrics);
  epochs.onChange(() => cache.clear());
  return cache;
}

/** The context for storing messages and receipts, on the connections of sends. */
export function contextOfSends(ctx: Context): Context {
  return { ...ctx, db: ctx.sendDb, identities: ctx.sendIdentities };
}
