import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { openBlobStore } from '@parley/blobs/settings';
import type { BlobStore } from '@parley/blobs/store';
import { createInterests, type Interests } from '@parley/domain/events/interests';
import { newId } from '@parley/domain/ids';
import type { View } from '@parley/domain/json/view';
import { createWire } from '@parley/domain/wire';
import { limits } from '@parley/contract/limits';
import { tooManyAtOnce } from '@parley/domain/problems';
import type { Caller } from '@parley/kit/rpc/open-channel';
import { openServiceBase, type ServiceBase, type ServiceBaseOverrides } from '@parley/kit/service/base';
import { createPoolShares, shareOf, type PoolShares } from '@parley/kit/postgres/pool-shares';
import type { Stopper } from '@parley/kit/runtime/process';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { EventInterestService } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import { ExportSourceService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Config } from './config.ts';
import { listAppsWithOpenJournal } from './sql/journal.ts';
import { createPageTurns, type PageTurns } from './run/page-turns.ts';

/** Dependencies of all functions of this service: connections, clients, clock, randomness. */
export type Context = ServiceBase & {
  config: Config;
  /** Limits the database connections that one application's calls may hold. */
  shares: PoolShares;
  blobs: BlobStore;
  source: Client<typeof ExportSourceService>;
  /** Which applications' events this service gets. */
  interests: Interests;
  /** Client for the events in messaging's change log. */
  logged: Client<typeof EventInterestService>;
  /** Aborts when the service stops: runs end, and another process starts them again. */
  stopping: AbortController;
  turns: PageTurns;
  /** The view in which archives show an application's records. */
  viewOf(appId: string): View;
  /** A uuid of version 7. */
  newId(): string;
};

/** Replacements that tests provide. */
export type Overrides = ServiceBaseOverrides & {
  sourceTransport?: Transport;
  blobs?: BlobStore;
};

/** Opens all dependencies; `stopper` closes them. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const largestMessage = limits.eventBytes;
  const base = await openServiceBase({ name: 'export', config, overrides, stopper, largestMessage });
  const { poolSize, publicUrl, wireName } = config;
  const messaging = openMessaging(config, overrides, base, stopper);
  const wire = createWire(wireName);
  return {
    ...base,
    config,
    shares: createPoolShares({ poolSize, refusal: tooManyAtOnce }),
    blobs: overrides.blobs ?? (await openBlobStore(config.blobs)).blobs,
    source: createClient(ExportSourceService, messaging),
    interests: openInterests(base, messaging),
    logged: createClient(EventInterestService, messaging),
    stopping: new AbortController(),
    turns: createPageTurns(config.concurrency),
    viewOf: (appId) => ({ wire, baseUrl: publicUrl, audience: 'server', appId }),
    newId,
  };
}

/** The context of a call for one application: its statements take the application's share of the connections. */
export function contextOf(ctx: Context, appId: string): Context {
  return { ...ctx, db: shareOf(ctx.db, ctx.shares, appId) };
}

function openMessaging(
  config: Config,
  overrides: Overrides,
  { log, tls }: Caller,
  stopper: Stopper,
): Transport {
  if (overrides.sourceTransport) return overrides.sourceTransport;
  const { messagingAddress: address, rpcSecret: secret } = config;
  const { transport, close } = createRpcChannel({ address, secret, tls, log });
  stopper.add('channel to messaging', close);
  return transport;
}

function openInterests({ db, clock, log }: ServiceBase, messaging: Transport): Interests {
  return createInterests({
    client: createClient(EventInterestService, messaging),
    consumer: 'export',
    listAwaited: (after, limit) => listAppsWithOpenJournal(db, after, limit),
    now: clock.now,
    failed: (error, appId) =>
      log.warn({ error, appId }, 'failed to register the interest in events; will retry'),
  });
}
