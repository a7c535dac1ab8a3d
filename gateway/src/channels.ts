import type { Transport } from '@connectrpc/connect';
import type { Logger } from '@parley/kit/log';
import type { Stopper } from '@parley/kit/process';
import { createRpcChannel } from '@parley/kit/rpc-client';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { AnnouncementService } from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import { ExportService } from '@parley/proto/parley/export/v1/export_service_pb';
import { OperationService } from '@parley/proto/parley/identity/v1/operation_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ScheduleService } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { WebhookService } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Config } from './config.ts';

export type Channels = {
  identity: Transport;
  messaging: Transport;
  content: Transport;
  webhook: Transport;
  export: Transport;
  announcement: Transport;
};

type Options = {
  log: Logger;
  stopper: Stopper;
  identityTransport?: Transport | undefined;
  messagingTransport?: Transport | undefined;
  contentTransport?: Transport | undefined;
};

/** Carry a request id or only read: running twice does what running once does. */
const { sendMessages, recordReceipts, createConversation } = MessagingService.method;
const { getMessage, listMessages, getConversation, listConversations, getAudiences, getUnreadCounts } =
  MessagingService.method;
const { scheduleMessage, getScheduledMessage, listScheduledMessages } = ScheduleService.method;
const { getWebhook, listWebhooks, listDeliveries, getDelivery } = WebhookService.method;
const { createAnnouncement, recordAnnouncementReceipt } = AnnouncementService.method;
const { registerKey, getKey, getExport, listExports, configureSchedule, getSchedule } = ExportService.method;
const idempotent = [
  ...[createAnnouncement, recordAnnouncementReceipt],
  ...[registerKey, getKey, getExport, listExports, configureSchedule, getSchedule],
  ...[sendMessages, recordReceipts, createConversation],
  ...[getMessage, listMessages, getConversation, listConversations, getAudiences, getUnreadCounts],
  ...[scheduleMessage, getScheduledMessage, listScheduledMessages],
  ContentService.method.claimContents,
  ...[OperationService.method.beginOperation, OperationService.method.finishOperation],
  ...[PushTokenService.method.registerPushToken, PushTokenService.method.deletePushToken],
  ...[getWebhook, listWebhooks, listDeliveries, getDelivery],
];

/** A connection to each service; the transports of `options` stand in for it. */
export function createChannels(config: Config, options: Options): Channels {
  const { rpcSecret: secret, identityAddress, messagingAddress, contentAddress } = config;
  const { log, stopper, identityTransport, messagingTransport, contentTransport } = options;
  function open(name: string, address: string): Transport {
    const channel = createRpcChannel({ address, secret, log, idempotent });
    stopper.add(`channel to ${name}`, () => channel.close());
    return channel.transport;
  }
  return {
    identity: identityTransport ?? open('identity', identityAddress),
    messaging: messagingTransport ?? open('messaging', messagingAddress),
    content: contentTransport ?? open('content', contentAddress),
    webhook: open('webhook', config.webhookAddress),
    announcement: open('announcement', config.announcementAddress),
    export: open('export', config.exportAddress),
  };
}
