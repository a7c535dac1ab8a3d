import { createClient, type Client, type Transport } from '@connectrpc/connect';
import {
  createContentAddresses,
  DOWNLOAD_PATH,
  type ContentAddresses,
} from '@parley/domain/content-addresses';
import { createInterests, type Interests } from '@parley/domain/events/interests';
import { newId } from '@parley/domain/ids';
import { createWire, type Wire } from '@parley/domain/wire';
import { limits } from '@parley/contract/limits';
import { openServiceBase, type ServiceBase, type ServiceBaseOverrides } from '@parley/kit/service/base';
import { openFigures, type Figures } from '@parley/usage/recorder';
import type { Stopper } from '@parley/kit/runtime/process';
import { openChannel, type Caller } from '@parley/kit/rpc/open-channel';
import { createSealer, type Sealer } from '@parley/kit/runtime/seal';
import { EventInterestService } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Config } from './config.ts';
import { listAppsWithWebhooks } from './sql/webhook.ts';
import { createTargetClient, type TargetClient } from '@parley/outbound/client';
import { createResolve, type Resolve } from '@parley/outbound/resolve';

/** Dependencies of all functions of this service: connections, clients, clock, randomness. */
export type Context = ServiceBase & {
  config: Config;
  wire: Wire;
  messaging: Client<typeof MessagingService>;
  /** Usage metrics, which the console's charts show. */
  figures: Figures;
  /** Which applications' events this service gets. */
  interests: Interests;
  sealer: Sealer;
  targets: TargetClient;
  /** Signs the download addresses of content. */
  contents: ContentAddresses;
  /** A uuid of version 7. */
  newId(): string;
  /** A random number from 0 to 1. */
  random(): number;
};

/** Replacements that tests provide. */
export type Overrides = ServiceBaseOverrides & {
  messagingTransport?: Transport;
  resolve?: Resolve;
  /** An additional certificate authority of targets. */
  ca?: string;
};

/** Opens all dependencies; `stopper` closes them. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const largestMessage = limits.eventBytes;
  const base = await openServiceBase({ name: 'webhook', config, overrides, stopper, largestMessage });
  const messaging = openMessaging(config, overrides, base, stopper);
  const figures = openFigures(messaging, base, stopper);
  const resolve = overrides.resolve ?? createResolve();
  const targets = createTargetClient(config, { resolve, ca: overrides.ca });
  stopper.add('targets', () => targets.close());
  const { contentUrl, contentSecret: secret } = config;
  return {
    ...base,
    config,
    wire: createWire(config.wireName),
    messaging: createClient(MessagingService, messaging),
    figures,
    interests: openInterests(base, messaging),
    sealer: createSealer([config.encryptionKey, ...config.acceptedEncryptionKeys], 'parley webhook secrets'),
    targets,
    contents: createContentAddresses({ base: contentUrl + DOWNLOAD_PATH, secret }),
    newId,
    random: Math.random,
  };
}

function openMessaging(
  config: Config,
  overrides: Overrides,
  { log, tls }: Caller,
  stopper: Stopper,
): Transport {
  if (overrides.messagingTransport) return overrides.messagingTransport;
  const { messagingAddress: address, rpcSecret: secret } = config;
  return openChannel({ name: 'messaging', address, secret, tls, log }, stopper);
}

function openInterests({ db, clock, log }: ServiceBase, messaging: Transport): Interests {
  return createInterests({
    client: createClient(EventInterestService, messaging),
    consumer: 'webhook',
    listAwaited: (after, limit) => listAppsWithWebhooks(db, after, limit),
    now: clock.now,
    failed: (error, appId) =>
      log.warn({ error, appId }, 'failed to register the interest in events; will retry'),
  });
}
