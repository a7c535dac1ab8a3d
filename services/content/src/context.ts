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
import { limits } from '@parley/contract/limits';
import { tooManyAtOnce } from '@parley/domain/problems';
import type { Caller } from '@parley/kit/rpc/open-channel';
import { openServiceBase, type ServiceBase, type ServiceBaseOverrides } from '@parley/kit/service/base';
import { createPoolShares, shareOf, type PoolShares } from '@parley/kit/postgres/pool-shares';
import type { Stopper } from '@parley/kit/runtime/process';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ScheduleService } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import type { Config } from './config.ts';
import { createUploadTokens, type UploadTokens } from './upload/find-by-token.ts';
import { createTransferLimiter, type TransferLimiter } from './upload/transfer-limiter.ts';

/** Dependencies of all functions of this service: connections, clients, clock, randomness. */
export type Context = ServiceBase & {
  config: Config;
  wire: Wire;
  /** Limits the database connections that one application's calls may hold. */
  shares: PoolShares;
  uploadTokens: UploadTokens;
  blobs: BlobStore;
  /** Set when the store is a folder, whose blobs this service serves itself. */
  folder: FolderStore | undefined;
  downloads: ContentAddresses;
  transfers: TransferLimiter;
  messaging: Client<typeof MessagingService>;
  schedules: Client<typeof ScheduleService>;
  /** Aborts when the service stops: uploads commit the bytes received, and end. */
  stopping: AbortController;
  /** A uuid of version 7. */
  newId(): string;
};

/** Replacements that tests provide. */
export type Overrides = ServiceBaseOverrides & {
  messagingTransport?: Transport;
};

/** Opens all dependencies; `stopper` closes them. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const largestMessage = limits.eventBytes;
  const base = await openServiceBase({ name: 'content', config, overrides, stopper, largestMessage });
  const { clock, db } = base;
  const { poolSize, contentUrl, contentSecret: secret, acceptedContentSecrets: acceptedSecrets } = config;
  return {
    ...base,
    ...(await openBlobStore(config.blobs, acceptedSecrets)),
    ...messagingClients(config, overrides, base, stopper),
    config,
    wire: createWire(config.wireName),
    downloads: createContentAddresses({ base: contentUrl + DOWNLOAD_PATH, secret, acceptedSecrets }),
    transfers: createTransferLimiter(config.maxTransfers),
    shares: createPoolShares({ poolSize, refusal: tooManyAtOnce }),
    uploadTokens: createUploadTokens({ config, clock, db }),
    stopping: new AbortController(),
    newId,
  };
}

/** The context of a request for one application: its statements take the application's share of the connections. */
export function contextOf(ctx: Context, appId: string): Context {
  return { ...ctx, db: shareOf(ctx.db, ctx.shares, appId) };
}

function messagingClients(
  config: Config,
  overrides: Overrides,
  { log, tls }: Caller,
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
  const channel = createRpcChannel({ address, secret, tls, log });
  stopper.add('channel to messaging', () => channel.close());
  return { messaging: channel.client(MessagingService), schedules: channel.client(ScheduleService) };
}
