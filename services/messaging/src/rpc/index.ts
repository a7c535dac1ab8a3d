import type { Stopper } from '@parley/kit/runtime/process';
import { implement, type Handlers } from '@parley/kit/rpc/implement';
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
import type { RpcContext, Sending } from './rpc-context.ts';
import { scheduleMessage } from './schedule-message.ts';
import { sendMessages } from './send-messages.ts';
import { sendTyping } from './send-typing.ts';
import { updateConversation } from './update-conversation.ts';
import { RECOVERY } from './recovery/index.ts';

type Parts = { schedules: Scheduler; stopper: Stopper };

/** Mounts the RPCs of this service. */
export function mountRpc(server: RpcServer, context: Context, { schedules, stopper }: Parts): void {
  const ctx: RpcContext = { ...context, schedules, sending: createSending(context, stopper) };
  server.service(MessagingService, implement(MessagingService, ctx, MESSAGING));
  server.service(ScheduleService, implement(ScheduleService, ctx, SCHEDULES));
  server.service(ChangeLogService, implement(ChangeLogService, ctx, CHANGE_LOG));
  server.service(ExportSourceService, implement(ExportSourceService, ctx, EXPORTS));
  server.service(RestoreService, implement(RestoreService, ctx, { restoreConversations, restoreMessages }));
  server.service(MessagingRecoveryService, implement(MessagingRecoveryService, ctx, RECOVERY));
  server.service(
    NotificationService,
    implement(NotificationService, ctx, { requestNotification, checkPushes }),
  );
  server.service(CopyService, implement(CopyService, ctx, { applyBlocks, applyErasure, applyIdentities }));
  server.service(EventInterestService, implement(EventInterestService, ctx, INTERESTS));
  server.service(FigureService, implement(FigureService, ctx, { recordFigures }));
  server.service(PartsService, implement(PartsService, ctx, { editParts }));
}

function createSending(context: Context, stopper: Stopper): Sending {
  const ctx = contextOfSends(context);
  const [sends, receipts] = [createSendBatcher(ctx), createReceiptBatcher(ctx)];
  stopper.add('sends', () => sends.stop());
  stopper.add('receipts', () => receipts.stop());
  return { ctx, sends, receipts };
}

const MESSAGING: Handlers<typeof MessagingService, RpcContext> = {
  createConversation,
  getConversation,
  listConversations,
  updateConversation,
  deleteConversation,
  sendMessages,
  getMessage,
  isContentShown,
  listMessages,
  deleteMessage,
  recordReceipts,
  markAllRead,
  getAudiences,
  getUnreadCounts,
  getUnreadTotals,
  getReceipts,
  listMessageIds,
  sendTyping,
};

const SCHEDULES: Handlers<typeof ScheduleService, RpcContext> = {
  scheduleMessage,
  getScheduledMessage,
  listScheduledMessages,
  cancelScheduledMessage,
};

const CHANGE_LOG: Handlers<typeof ChangeLogService, RpcContext> = {
  listConversationEvents,
  listUserEvents,
  getEpoch,
};

const EXPORTS: Handlers<typeof ExportSourceService, RpcContext> = {
  fixCut,
  exportConversations,
  exportMessages,
  dropCut,
  listMessagePlaces,
};

const INTERESTS: Handlers<typeof EventInterestService, RpcContext> = {
  registerEventInterest,
  listEventInterests,
  dropEventInterests,
  listLoggedEvents,
  publishLoggedEvents,
};
