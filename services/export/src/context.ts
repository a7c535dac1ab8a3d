import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { openBlobStore } from '@parley/blobs/settings';
import type { BlobStore } from '@parley/blobs/store';
import { newId } from '@parley/domain/ids';
import type { View } from '@parley/domain/json/view';
import { createWire } from '@parley/domain/wire';
import { limits } from '@parley/domain/limits';
import { tooManyAtOnce } from '@parley/domain/problems';
import { openServiceBase, type ServiceBase, type ServiceBaseOverrides } from '@parley/kit/base';
import type { Logger } from '@parley/kit/telemetry/log';
import { createPoolShares, shareOf, type PoolShares } from '@parley/kit/postgres/pool-shares';
import type { Stopper } from '@parley/kit/process';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { ExportSourceService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Config } from './config.ts';
import { createTurns, type Turns } from './run/page-turns.ts';

/** Everything that opens, waits or is random; what the calls of this service work with. */
export type Context = ServiceBase & {
  config: Config;
  /** What calls for one application take of the connections. */
  shares: PoolShares;
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
export type Overrides = ServiceBaseOverrides & {
  sourceTransport?: Transport;
  blobs?: BlobStore;
};

/** Opens what the service needs, and leaves to `stopper` to close it. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const largestMessage = limits.eventBytes;
  const base = await openServiceBase({ name: 'export', config, overrides, stopper, largestMessage });
  const { poolSize, publicUrl, wireName } = config;
  const wire = createWire(wireName);
  return {
    ...base,
    config,
    shares: createPoolShares({ poolSize, refusal: tooManyAtOnce }),
    blobs: overrides.blobs ?? (await openBlobStore(config.blobs)).blobs,
    source: sourceClient(config, overrides, base.log, stopper),
    stopping: new AbortController(),
    turns: createTurns(config.concurrency),
    viewOf: (appId) => ({ wire, baseUrl: publicUrl, audience: 'server', appId }),
    newId,
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
