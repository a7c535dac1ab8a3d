import type { ServiceImpl } from '@connectrpc/connect';
import type { Stopper } from '@parley/kit/process';
import type { RpcServer } from '@parley/kit/rpc/server';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { FigureService } from '@parley/proto/parley/identity/v1/figure_service_pb';
import { CopyService } from '@parley/proto/parley/messaging/v1/copy_service_pb';
import { EventInterestService } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import { ExportSourceService, RestoreService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ScheduleService } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { NotificationService } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import { PartsService } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import { MessagingRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { contextOfSends, type Context } from '../context.ts';
import { createReceiptBatcher } from '../read-state/record/batcher.ts';
import type { Scheduler } from '../message/schedule/scheduler.ts';
import { createSendBatcher } from '../message/send/batcher.ts';
import { applyBlocks } from './apply-blocks.ts';
import { applyErasure } from './apply-erasure.ts';
import { applyIdentities } from './apply-identities.ts';
import { cancelScheduledMessage } from './cancel-scheduled-message.ts';
import { checkPushes } from './check-pushes.ts';
import { createConversation } from './create-conversation.ts';
import { deleteConversation } from './delete-conversation.ts';
import { deleteMessage } from './delete-message.ts';
import { dropCut } from './drop-cut.ts';
import { dropEventInterests } from './drop-event-interests.ts';
import { exportConversations } from './export-conversations.ts';
import { exportMessages } from './export-messages.ts';
import { fixCut } from './fix-cut.ts';
import { listMessagePlaces } from './list-message-places.ts';
import { restoreConversations } from './restore-conversations.ts';
import { restoreMessages } from './restore-messages.ts';
import { editParts } from './edit-parts.ts';
import { getEpoch } from './get-epoch.ts';
import { getAudiences } from './get-audiences.ts';
import { getConversation } from './get-conversation.ts';
import { getMessage } from './get-message.ts';
import { getReceipts } from './get-receipts.ts';
import { getScheduledMessage } from './get-scheduled-message.ts';
import { getUnreadCounts } from './get-unread-counts.ts';
import { getUnreadTotals } from './get-unread-totals.ts';
import { listConversationEvents } from './list-conversation-events.ts';
import { listConversations } from './list-conversations.ts';
import { listEventInterests } from './list-event-interests.ts';
import { listLoggedEvents } from './list-logged-events.ts';
import { listMessageIds } from './list-message-ids.ts';
import { isContentShown } from './is-content-shown.ts';
import { listMessages } from './list-messages.ts';
import { listScheduledMessages } from './list-scheduled-messages.ts';
import { listUserEvents } from './list-user-events.ts';
import { markAllRead } from './mark-all-read.ts';
import { publishLoggedEvents } from './publish-logged-events.ts';
import { registerEventInterest } from './register-event-interest.ts';
import { requestNotification } from './request-notification.ts';
import { recordFigures } from './record-figures.ts';
import { recordReceipts } from './record-receipts.ts';
import { scheduleMessage } from './schedule-message.ts';
import { sendMessages } from './send-messages.ts';
import { sendTyping } from './send-typing.ts';
import { updateConversation } from './update-conversation.ts';
import { recoveryService } from './recovery/index.ts';

type Mounted = { schedules: Scheduler; stopper: Stopper };

/**
 * Mounts all RPCs of this service. A call for one application takes its share of the database connections: here, or
 * piece by piece within the call where it locks a conversation or exports. Sends, receipts and the gateways' batches
 * for all applications do not wait for a share.
 */
export function mountRpc(server: RpcServer, ctx: Context, mounted: Mounted): void {
  const { shares } = ctx;
  server.service(MessagingService, messagingService(ctx, mounted));
  server.service(ScheduleService, scheduleService(ctx, mounted));
  server.service(ChangeLogService, changeLogService(ctx));
  server.service(ExportSourceService, exportSourceService(ctx));
  server.service(RestoreService, restoreService(ctx));
  server.service(MessagingRecoveryService, recoveryService(ctx));
  server.service(NotificationService, {
    requestNotification: (request) => shares.run(request.appId, () => requestNotification(ctx, request)),
    checkPushes: (request) => checkPushes(ctx, request),
  });
  server.service(CopyService, {
    applyBlocks: (request) => shares.run(request.appId, () => applyBlocks(ctx, request)),
    applyErasure: (request) => shares.run(request.identity?.appId ?? '', () => applyErasure(ctx, request)),
    applyIdentities: (request) => shares.run(request.appId, () => applyIdentities(ctx, request)),
  });
  server.service(EventInterestService, {
    registerEventInterest: (request) =>
      shares.runHeavy(request.appId, () => registerEventInterest(ctx, request)),
    listEventInterests: (request) => listEventInterests(ctx, request),
    dropEventInterests: (request) => dropEventInterests(ctx, request),
    listLoggedEvents: (request) => shares.runHeavy(request.appId, () => listLoggedEvents(ctx, request)),
    publishLoggedEvents: (request) => shares.runHeavy(request.appId, () => publishLoggedEvents(ctx, request)),
  });
  server.service(FigureService, {
    recordFigures: (request) => recordFigures(ctx, request),
  });
  server.service(PartsService, {
    editParts: (request) => editParts(ctx, request),
  });
}

function messagingService(ctx: Context, { stopper }: Mounted): ServiceImpl<typeof MessagingService> {
  const { shares } = ctx;
  const sending = contextOfSends(ctx);
  const sends = createSendBatcher(sending);
  stopper.add('sends', () => sends.stop());
  const receipts = createReceiptBatcher(sending);
  stopper.add('receipts', () => receipts.stop());
  return {
    createConversation: (request) => createConversation(ctx, request),
    getConversation: (request) => shares.run(request.appId, () => getConversation(ctx, request)),
    listConversations: (request) => shares.run(request.appId, () => listConversations(ctx, request)),
    updateConversation: (request) => updateConversation(ctx, request),
    deleteConversation: (request) => deleteConversation(ctx, request),
    sendMessages: (request) => sendMessages(sending, sends, request),
    getMessage: (request) => shares.run(request.appId, () => getMessage(ctx, request)),
    isContentShown: (request) => shares.run(request.appId, () => isContentShown(ctx, request)),
    listMessages: (request) => shares.run(request.appId, () => listMessages(ctx, request)),
    deleteMessage: (request) => deleteMessage(ctx, request),
    recordReceipts: (request) => recordReceipts(sending, receipts, request),
    markAllRead: (request) => markAllRead(ctx, request),
    getAudiences: (request) => getAudiences(ctx, request),
    getUnreadCounts: (request) => getUnreadCounts(ctx, request),
    getUnreadTotals: (request) => shares.run(request.appId, () => getUnreadTotals(ctx, request)),
    getReceipts: (request) => shares.run(request.appId, () => getReceipts(ctx, request)),
    listMessageIds: (request) => shares.run(request.appId, () => listMessageIds(ctx, request)),
    sendTyping: (request) => shares.run(request.appId, () => sendTyping(ctx, request)),
  };
}

function scheduleService(ctx: Context, { schedules }: Mounted): ServiceImpl<typeof ScheduleService> {
  const { shares } = ctx;
  return {
    scheduleMessage: (request) => scheduleMessage(ctx, schedules, request),
    getScheduledMessage: (request) => shares.run(request.appId, () => getScheduledMessage(ctx, request)),
    listScheduledMessages: (request) => shares.run(request.appId, () => listScheduledMessages(ctx, request)),
    cancelScheduledMessage: (request) =>
      shares.run(request.appId, () => cancelScheduledMessage(ctx, request)),
  };
}

function exportSourceService(ctx: Context): ServiceImpl<typeof ExportSourceService> {
  const { shares } = ctx;
  return {
    fixCut: (request) => fixCut(ctx, request),
    exportConversations: (request) => exportConversations(ctx, request),
    exportMessages: (request) => exportMessages(ctx, request),
    dropCut: (request) => shares.run(request.appId, () => dropCut(ctx, request)),
    listMessagePlaces: (request) => shares.run(request.appId, () => listMessagePlaces(ctx, request)),
  };
}

function restoreService(ctx: Context): ServiceImpl<typeof RestoreService> {
  return {
    restoreConversations: (request) => restoreConversations(ctx, request),
    restoreMessages: (request) => restoreMessages(ctx, request),
  };
}

function changeLogService(ctx: Context): ServiceImpl<typeof ChangeLogService> {
  const { shares } = ctx;
  return {
    listConversationEvents: (request) =>
      shares.run(request.appId, () => listConversationEvents(ctx, request)),
    listUserEvents: (request) => shares.runHeavy(request.appId, () => listUserEvents(ctx, request)),
    getEpoch: (request) => getEpoch(ctx, request),
  };
}
