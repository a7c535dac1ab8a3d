import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { newId } from '@parley/domain/ids';
import { limits } from '@parley/contract/limits';
import { isLogged } from '@parley/domain/events/logged';
import type { Caller } from '@parley/kit/rpc/open-channel';
import { openEpochBase, type EpochBase, type ServiceBaseOverrides } from '@parley/kit/service/base';
import { createOutbox, type Outbox } from '@parley/kit/durable/outbox';
import type { Stopper } from '@parley/kit/runtime/process';
import { createRebroadcast } from '@parley/kit/bus/rebroadcast';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Config } from './config.ts';
import { createEmit, type Emit } from './events/emit.ts';
import { createSenders, type Senders } from './announcement/senders.ts';

/** Everything that opens, waits or is random; what the calls of this service work with. */
export type Context = EpochBase & {
  config: Config;
  outbox: Outbox;
  emit: Emit;
  identity: Client<typeof IdentityService>;
  senders: Senders;
  /** A uuid of version 7. */
  newId(): string;
};

/** Parts that a test replaces. */
export type Overrides = ServiceBaseOverrides & {
  identityTransport?: Transport;
};

/** Opens what the service needs, and leaves to `stopper` to close it. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const largestMessage = limits.eventBytes;
  const base = await openEpochBase({ name: 'announcement', config, overrides, stopper, largestMessage });
  const { clock, bus, epochs } = base;
  const { liveShards } = config;
  const outbox = createOutbox({ ...base, isLogged });
  stopper.add('outbox', () => outbox.stop());
  const transport = overrides.identityTransport ?? openTransport(config, base, stopper);
  const identity = createClient(IdentityService, transport);
  const rebroadcast = createRebroadcast({ bus, clock });
  stopper.add('rebroadcast', () => rebroadcast.stop());
  const emit = createEmit({ outbox, rebroadcast, clock, epochs, liveShards });
  return { ...base, config, outbox, emit, identity, senders: createSenders(identity), newId };
}

function openTransport(
  { identityAddress, rpcSecret }: Config,
  { log, tls }: Caller,
  stopper: Stopper,
): Transport {
  const channel = createRpcChannel({ address: identityAddress, secret: rpcSecret, tls, log });
  stopper.add('channel to identity', () => channel.close());
  return channel.transport;
}
