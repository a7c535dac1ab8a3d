import type { DescMethod } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import type { Caller } from '@parley/kit/base';
import type { Stopper } from '@parley/kit/process';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Config } from './config.ts';

export type Channels = {
  identity: Transport;
  messaging: Transport;
  content: Transport;
  webhook: Transport;
  push: Transport;
  export: Transport;
  announcement: Transport;
};

/** The calls of the hot path. */
const MULTIPLEXED = [MessagingService.method.sendMessages, MessagingService.method.recordReceipts];

type Options = Caller & {
  stopper: Stopper;
  identityTransport?: Transport | undefined;
  messagingTransport?: Transport | undefined;
  contentTransport?: Transport | undefined;
};

/** A connection to each service; the transports of `options` stand in for it. */
export function createChannels(config: Config, options: Options): Channels {
  const { rpcSecret: secret, identityAddress, messagingAddress, contentAddress } = config;
  const { log, tls, stopper, identityTransport, messagingTransport, contentTransport } = options;
  function open(name: string, address: string, multiplexed?: readonly DescMethod[]): Transport {
    const channel = createRpcChannel({ address, secret, tls, log, multiplexed });
    stopper.add(`channel to ${name}`, () => channel.close());
    return channel.transport;
  }
  return {
    identity: identityTransport ?? open('identity', identityAddress),
    messaging: messagingTransport ?? open('messaging', messagingAddress, MULTIPLEXED),
    content: contentTransport ?? open('content', contentAddress),
    webhook: open('webhook', config.webhookAddress),
    push: open('push', config.pushAddress),
    announcement: open('announcement', config.announcementAddress),
    export: open('export', config.exportAddress),
  };
}
