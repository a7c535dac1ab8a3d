import type { Transport } from '@connectrpc/connect';
import type { Caller } from '@parley/kit/rpc/open-channel';
import type { Stopper } from '@parley/kit/runtime/process';
import { createRpcChannel, type RpcChannel } from '@parley/kit/rpc/client';
import type { UpstreamConfig } from './settings.ts';

export type Channels = {
  identity: Transport;
  messaging: Transport;
  content: Transport;
  webhook: Transport;
  push: Transport;
  export: Transport;
  announcement: Transport;
  /** Calls messaging without a promise; undefined when a test's transport replaces it. */
  callMessagingBack: RpcChannel['callBack'] | undefined;
  /** Maps an integer to a replica of messaging; undefined while none is known. */
  preferredMessagingReplica: RpcChannel['preferredReplica'];
};

type Options = Caller & {
  stopper: Stopper;
  identityTransport?: Transport | undefined;
  messagingTransport?: Transport | undefined;
  contentTransport?: Transport | undefined;
};

/** A connection to each service, or the transport that `options` has for it. */
export function createChannels(config: UpstreamConfig & { rpcSecret: string }, options: Options): Channels {
  const { rpcSecret: secret, identityAddress, messagingAddress, contentAddress } = config;
  const { log, tls, stopper, identityTransport, messagingTransport, contentTransport } = options;
  function open(name: string, address: string): RpcChannel {
    const channel = createRpcChannel({ address, secret, tls, log, multiplexing: {} });
    stopper.add(`channel to ${name}`, () => channel.close());
    return channel;
  }
  const messaging = messagingTransport
    ? { transport: messagingTransport, callBack: undefined, preferredReplica: () => undefined }
    : open('messaging', messagingAddress);
  return {
    identity: identityTransport ?? open('identity', identityAddress).transport,
    messaging: messaging.transport,
    callMessagingBack: messaging.callBack,
    preferredMessagingReplica: (number) => messaging.preferredReplica(number),
    content: contentTransport ?? open('content', contentAddress).transport,
    webhook: open('webhook', config.webhookAddress).transport,
    push: open('push', config.pushAddress).transport,
    announcement: open('announcement', config.announcementAddress).transport,
    export: open('export', config.exportAddress).transport,
  };
}
