import type { Stopper } from '@parley/kit/runtime/process';
import { implement, type Handlers } from '@parley/kit/rpc/implement';
import type { RpcServer } from '@parley/kit/rpc/server';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { FigureService } from '@parley/proto/parley/identity/v1/figure_service_pb';
import { CellAdminService } from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { CopyService } from '@parley/proto/parley/messaging/v1/copy_service_pb';
import { EventInterestService } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import { ExportSourceService, RestoreService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ScheduleService } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { NotificationService } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import { PolicyService } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import { PartsService } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import { ReactionService } from '@parley/proto/parley/messaging/v1/reaction_service_pb';
import { MessagingRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { CHANGE_LOG_IN_CELLS } from '../cells/epochs.ts';
import type { Cells } from '../cells/index.ts';
import { INTERESTS_IN_CELLS } from '../cells/interests.ts';
import { MESSAGING_IN_CELLS, REACTIONS_IN_CELLS } from '../cells/messaging.ts';
import type { CellAdministration } from '../cells/administration.ts';
import { mountInCells, type Mounting } from '../cells/mount.ts';
import { RECOVERY_IN_CELLS } from '../cells/recovery.ts';
import { contextOfSends, type Context } from '../context.ts';
import { createReactionBatcher } from '../reaction/batcher.ts';
import { createReceiptBatcher } from '../read-state/record/batcher.ts';
import type { Scheduler } from '../message/schedule/scheduler.ts';
import { createSendBatcher } from '../message/send/batcher.ts';
import { addCells } from './add-cells.ts';
import { applyBlocks } from './apply-blocks.ts';
import { applyErasure } from './apply-erasure.ts';
import { applyIdentities } from './apply-identities.ts';
import { cancelScheduledMessage } from './cancel-scheduled-message.ts';
import { changeReactions } from './change-reactions.ts';
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
import { listCells } from './list-cells.ts';
import { listEventInterests } from './list-event-interests.ts';
import { listLoggedEvents } from './list-logged-events.ts';
import { listMessageIds } from './list-message-ids.ts';
import { isContentShown } from './is-content-shown.ts';
import { listMessages } from './list-messages.ts';
import { listReactions } from './list-reactions.ts';
import { listScheduledMessages } from './list-scheduled-messages.ts';
import { listUserEvents } from './list-user-events.ts';
import { markAllDelivered } from './mark-all-delivered.ts';
import { markAllRead } from './mark-all-read.ts';
import { moveCell } from './move-cell.ts';
import { listTypes } from './list-types.ts';
import { putType } from './put-type.ts';
import { deleteType } from './delete-type.ts';
import { putRestriction } from './put-restriction.ts';
import { deleteRestriction } from './delete-restriction.ts';
import { listRestrictions } from './list-restrictions.ts';
import { putUserRestriction } from './put-user-restriction.ts';
import { deleteUserRestriction } from './delete-user-restriction.ts';
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
import { updateMessage } from './update-message.ts';
import { RECOVERY } from './recovery/index.ts';

type Parts = {
  server: RpcServer;
  cells: Cells;
  /** A context for each cell, in the order of cells; so are `schedulers`. */
  contexts: readonly Context[];
  schedulers: readonly Scheduler[];
  administration: CellAdministration;
  stopper: Stopper;
};

/** Mounts the RPCs of this service. */
export function mountRpc({ server, cells, contexts, schedulers, administration, stopper }: Parts): void {
  const own = contexts.map((context, cell): RpcContext => {
    return { ...context, schedules: schedulers[cell]!, sending: createSending(context, stopper) };
  });
  const mounting: Mounting = { server, cells, contexts: own };
  mountInCells(mounting, MessagingService, MESSAGING, MESSAGING_IN_CELLS);
  mountInCells(mounting, ScheduleService, SCHEDULES);
  mountInCells(mounting, ChangeLogService, CHANGE_LOG, CHANGE_LOG_IN_CELLS);
  mountInCells(mounting, ExportSourceService, EXPORTS);
  mountInCells(mounting, RestoreService, { restoreConversations, restoreMessages });
  mountInCells(mounting, MessagingRecoveryService, RECOVERY, RECOVERY_IN_CELLS);
  mountInCells(mounting, NotificationService, { requestNotification, checkPushes });
  mountInCells(mounting, CopyService, { applyBlocks, applyErasure, applyIdentities });
  mountInCells(mounting, EventInterestService, INTERESTS, INTERESTS_IN_CELLS);
  mountInCells(mounting, PartsService, { editParts, updateMessage });
  mountInCells(mounting, PolicyService, POLICY);
  mountInCells(mounting, ReactionService, { changeReactions, listReactions }, REACTIONS_IN_CELLS);
  const [first] = own;
  if (!first) return;
  server.service(FigureService, implement(FigureService, first, { recordFigures }));
  const context = Object.assign({ administration }, first);
  server.service(CellAdminService, implement(CellAdminService, context, { listCells, addCells, moveCell }));
}

function createSending(context: Context, stopper: Stopper): Sending {
  const ctx = contextOfSends(context);
  const [sends, receipts] = [createSendBatcher(ctx), createReceiptBatcher(ctx)];
  const reactions = createReactionBatcher(ctx);
  stopper.add('sends', () => sends.stop());
  stopper.add('receipts', () => receipts.stop());
  stopper.add('reactions', () => reactions.stop());
  return { ctx, sends, receipts, reactions };
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
  markAllDelivered,
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

const POLICY: Handlers<typeof PolicyService, RpcContext> = {
  listTypes,
  putType,
  deleteType,
  putRestriction,
  deleteRestriction,
  listRestrictions,
  putUserRestriction,
  deleteUserRestriction,
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
