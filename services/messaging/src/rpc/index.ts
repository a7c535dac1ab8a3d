import type { ServiceImpl } from '@connectrpc/connect';
import type { Stopper } from '@parley/kit/process';
import type { RpcServer } from '@parley/kit/rpc-server';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { ExportSourceService, RestoreService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ScheduleService } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { NotificationService } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import { PartsService } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import type { Context } from '../context.ts';
import { createReceipts } from '../receiving/receipts.ts';
import type { Schedules } from '../scheduling/schedules.ts';
import { createSends } from '../sending/sends.ts';
import { cancelScheduledMessage } from './cancel-scheduled-message.ts';
import { createConversation } from './create-conversation.ts';
import { deleteConversation } from './delete-conversation.ts';
import { deleteMessage } from './delete-message.ts';
import { exportSourceService, restoreService } from './export-index.ts';
import { editParts } from './edit-parts.ts';
import { getAudiences } from './get-audiences.ts';
import { getConversation } from './get-conversation.ts';
import { getMessage } from './get-message.ts';
import { getReceipts } from './get-receipts.ts';
import { getScheduledMessage } from './get-scheduled-message.ts';
import { getUnreadCounts } from './get-unread-counts.ts';
import { getUnreadTotals } from './get-unread-totals.ts';
import { listConversationEvents } from './list-conversation-events.ts';
import { listConversations } from './list-conversations.ts';
import { listMessageIds } from './list-message-ids.ts';
import { listMessages } from './list-messages.ts';
import { listScheduledMessages } from './list-scheduled-messages.ts';
import { listUserEvents } from './list-user-events.ts';
import { markAllRead } from './mark-all-read.ts';
import { requestNotification } from './request-notification.ts';
import { recordReceipts } from './record-receipts.ts';
import { scheduleMessage } from './schedule-message.ts';
import { sendMessages } from './send-messages.ts';
import { sendTyping } from './send-typing.ts';
import { updateConversation } from './update-conversation.ts';

type Mounted = { schedules: Schedules; stopper: Stopper };

/** The whole API of this service. */
export function mountRpc(server: RpcServer, ctx: Context, { schedules, stopper }: Mounted): void {
  server.service(MessagingService, messagingService(ctx, stopper));
  server.service(ScheduleService, scheduleService(ctx, schedules));
  server.service(ChangeLogService, changeLogService(ctx));
  server.service(ExportSourceService, exportSourceService(ctx));
  server.service(RestoreService, restoreService(ctx));
  server.service(NotificationService, {
    requestNotification: (request) => requestNotification(ctx, request),
  });
  server.service(PartsService, { editParts: (request) => editParts(ctx, request) });
}

function messagingService(ctx: Context, stopper: Stopper): ServiceImpl<typeof MessagingService> {
  const sends = createSends(ctx);
  stopper.add('sends', () => sends.stop());
  const receipts = createReceipts(ctx);
  stopper.add('receipts', () => receipts.stop());
  return {
    createConversation: (request) => createConversation(ctx, request),
    getConversation: (request) => getConversation(ctx, request),
    listConversations: (request) => listConversations(ctx, request),
    updateConversation: (request) => updateConversation(ctx, request),
    deleteConversation: (request) => deleteConversation(ctx, request),
    sendMessages: (request) => sendMessages(ctx, sends, request),
    getMessage: (request) => getMessage(ctx, request),
    listMessages: (request) => listMessages(ctx, request),
    deleteMessage: (request) => deleteMessage(ctx, request),
    recordReceipts: (request) => recordReceipts(ctx, receipts, request),
    markAllRead: (request) => markAllRead(ctx, request),
    getAudiences: (request) => getAudiences(ctx, request),
    getUnreadCounts: (request) => getUnreadCounts(ctx, request),
    getUnreadTotals: (request) => getUnreadTotals(ctx, request),
    getReceipts: (request) => getReceipts(ctx, request),
    listMessageIds: (request) => listMessageIds(ctx, request),
    sendTyping: (request) => sendTyping(ctx, request),
  };
}

function scheduleService(ctx: Context, schedules: Schedules): ServiceImpl<typeof ScheduleService> {
  return {
    scheduleMessage: (request) => scheduleMessage(ctx, schedules, request),
    getScheduledMessage: (request) => getScheduledMessage(ctx, request),
    listScheduledMessages: (request) => listScheduledMessages(ctx, request),
    cancelScheduledMessage: (request) => cancelScheduledMessage(ctx, request),
  };
}

function changeLogService(ctx: Context): ServiceImpl<typeof ChangeLogService> {
  return {
    listConversationEvents: (request) => listConversationEvents(ctx, request),
    listUserEvents: (request) => listUserEvents(ctx, request),
  };
}
