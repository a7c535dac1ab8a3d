import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { newId } from '@parley/domain/ids';
import { createWire, type Wire } from '@parley/domain/wire';
import { limits } from '@parley/contract/limits';
import { isLogged } from '@parley/domain/events/logged';
import { openServiceBase, type ServiceBase, type ServiceBaseOverrides } from '@parley/kit/service/base';
import { createOutbox, type Outbox } from '@parley/kit/durable/outbox';
import { openFigures, type Figures } from '@parley/usage/recorder';
import type { Stopper } from '@parley/kit/runtime/process';
import { openChannel } from '@parley/kit/rpc/open-channel';
import { createSealer, type Sealer } from '@parley/kit/runtime/seal';
import { createTargetClient, type TargetClient } from '@parley/outbound/client';
import { createResolve, type Resolve } from '@parley/outbound/resolve';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { NotificationService } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import type { Config } from './config.ts';
import { createConnections, type Connections } from './provider/apns/connections.ts';

/** Dependencies of all functions of this service: connections, clients, clock, randomness. */
export type Context = ServiceBase & {
  config: Config;
  outbox: Outbox;
  /** Usage metrics, which the console's charts show. */
  figures: Figures;
  wire: Wire;
  pushTokens: Client<typeof PushTokenService>;
  notifications: Client<typeof NotificationService>;
  /** Seals the keys of applications. */
  sealer: Sealer;
  /** Sends to addresses that users chose. */
  targets: TargetClient;
  /** Connections to Apple. */
  connections: Connections;
  /** A uuid of version 7. */
  newId(): string;
  /** A random number from 0 to 1. */
  random(): number;
};

/** Replacements that tests provide. */
export type Overrides = ServiceBaseOverrides & {
  identityTransport?: Transport;
  messagingTransport?: Transport;
  resolve?: Resolve;
  /** An additional certificate authority of push services. */
  ca?: string;
};

/** Opens all dependencies; `stopper` closes them. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const largestMessage = limits.eventBytes;
  const base = await openServiceBase({ name: 'push', config, overrides, stopper, largestMessage });
  const outbox = createOutbox({ ...base, isLogged });
  stopper.add('outbox', () => outbox.stop());
  const { rpcSecret: secret, identityAddress, messagingAddress } = config;
  const open = (name: string, address: string): Transport =>
    openChannel({ name, address, secret, tls: base.tls, log: base.log }, stopper);
  const identity = overrides.identityTransport ?? open('identity', identityAddress);
  const messaging = overrides.messagingTransport ?? open('messaging', messagingAddress);
  const figures = openFigures(identity, base, stopper);
  const resolve = overrides.resolve ?? createResolve();
  const targets = createTargetClient({ ...config, allowHttp: false }, { resolve, ca: overrides.ca });
  stopper.add('targets', () => targets.close());
  const connections = createConnections({ ca: overrides.ca });
  stopper.add('connections to Apple', () => connections.close());
  return {
    ...base,
    config,
    outbox,
    figures,
    wire: createWire(config.wireName),
    pushTokens: createClient(PushTokenService, identity),
    notifications: createClient(NotificationService, messaging),
    sealer: createKeySealer(config),
    targets,
    connections,
    newId,
    random: Math.random,
  };
}

/** Seals with the present encryption key, and opens what accepted ones sealed. */
export function createKeySealer({
  encryptionKey,
  acceptedEncryptionKeys,
}: Pick<Config, 'encryptionKey' | 'acceptedEncryptionKeys'>): Sealer {
  return createSealer([encryptionKey, ...acceptedEncryptionKeys], 'parley push keys', { namesKey: true });
}
