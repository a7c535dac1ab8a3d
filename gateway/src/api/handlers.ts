import type { OperationId } from '@parley/contract/api/index';
import {
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  listAnnouncements,
  recordAnnouncementReceipt,
} from './announcements.ts';
import { updateApp } from './apps.ts';
import { createContent, createContentInConversation } from './content/create.ts';
import { refreshContent, refreshContentInConversation } from './content/refresh.ts';
import { createConversation } from './conversations/create.ts';
import { deleteConversation, deleteConversationForAll } from './conversations/delete.ts';
import { getConversation, listConversations } from './conversations/read.ts';
import { markAllDelivered, markAllRead, updateConversation } from './conversations/update.ts';
import * as restrictions from './conversations/restrictions.ts';
import { describeMessages } from './discovery/asyncapi.ts';
import { describeApi, documentErrors } from './discovery/documents.ts';
import { linkServices, ping } from './discovery/entry.ts';
import * as exports from './exports.ts';
import {
  followUser,
  followUsers,
  isFollowing,
  listFollowedUsers,
  unfollowUser,
} from './identities/following.ts';
import * as identities from './identities/identities.ts';
import { choosePresence } from './identities/presence.ts';
import { deleteMessage, deleteMessageForAll } from './messages/delete.ts';
import { getMessage, listMessages } from './messages/read.ts';
import { listReactions, react, unreact } from './messages/reactions.ts';
import { recordReceipt } from './messages/receipt.ts';
import { cancelScheduledMessage, getScheduledMessage, listScheduledMessages } from './messages/scheduled.ts';
import { sendAsServer, sendMessage } from './messages/send.ts';
import { updateMessage } from './messages/update.ts';
import { requestNotification } from './notifications.ts';
import { addPart, removePart, replaceParts, updatePart } from './parts/edit.ts';
import { getPart, listParts } from './parts/read.ts';
import type { Handler } from './request/route.ts';
import { createSession, deleteSession, issueNonce } from './sessions.ts';
import { deleteType, listTypes, listTypesAsServer, putType } from './types.ts';
import { blockUser, listBlocks, patchBlocks, unblockUser } from './users/blocks.ts';
import { listPushes } from './users/pushes.ts';
import { deletePushToken, getPushKey, registerPushToken } from './users/push-tokens.ts';
import * as users from './users/users.ts';
import {
  getDelivery,
  listDeliveries,
  replayDeliveries,
  replayDelivery,
  sendTestEvent,
} from './webhooks/deliveries.ts';
import * as webhooks from './webhooks/registrations.ts';

/** The handler of each operation. */
export const HANDLERS: Readonly<Record<OperationId, Handler>> = {
  discover: linkServices,
  ping,
  describeRestApi: describeApi(),
  describeWebSocket: describeMessages(),
  documentErrors,

  createNonce: issueNonce,
  createSession,
  deleteSession,

  listConversations,
  listConversationsAsServer: listConversations,
  createConversation,
  createConversationAsServer: createConversation,
  getConversation,
  getConversationAsServer: getConversation,
  updateConversation,
  updateConversationAsServer: updateConversation,
  deleteConversation,
  deleteConversationAsServer: deleteConversationForAll,
  markAllRead,
  markAllDelivered,

  listTypes,
  listTypesAsServer,
  putType,
  deleteType,
  listRestrictions: restrictions.listRestrictions,
  listRestrictionsAsServer: restrictions.listRestrictions,
  putRestriction: restrictions.putRestriction,
  putRestrictionAsServer: restrictions.putRestriction,
  deleteRestriction: restrictions.deleteRestriction,
  deleteRestrictionAsServer: restrictions.deleteRestriction,
  putUserRestriction: restrictions.putUserRestriction,
  deleteUserRestriction: restrictions.deleteUserRestriction,

  listFollowedIdentities: identities.listFollowedIdentities,
  listFollowedIdentitiesOfUser: identities.listFollowedIdentities,
  getIdentity: identities.getUserIdentity,
  getIdentityAsServer: identities.getUserIdentity,
  createIdentity: identities.createIdentity,
  replaceIdentity: identities.replaceIdentity,
  updateIdentity: identities.updateIdentity,
  deleteIdentity: identities.deleteIdentity,

  listFollowedUsers,
  followUsers,
  isFollowing,
  followUser,
  unfollowUser,
  listFollowedUsersOfUser: listFollowedUsers,
  followUsersForUser: followUsers,
  isFollowingOfUser: isFollowing,
  followUserForUser: followUser,
  unfollowUserForUser: unfollowUser,

  choosePresence,

  listBlocks,
  blockUser,
  unblockUser,
  listBlocksOfUser: listBlocks,
  patchBlocks,

  findUsers: users.findUsers,
  listUsers: users.listUsers,
  getUser: users.getUser,
  updateUser: users.updateUser,
  eraseUser: users.eraseUser,
  deleteUserSessions: users.deleteUserSessions,
  getBadge: users.getBadge,
  setBadge: users.setBadge,

  registerPushToken,
  getPushKey,
  listPushes,
  deletePushToken,
  requestNotification,

  createAnnouncement,
  listAnnouncements,
  getAnnouncement,
  deleteAnnouncement,
  recordAnnouncementReceipt,

  listMessages,
  listMessagesAsServer: listMessages,
  getMessage,
  getMessageAsServer: getMessage,
  updateMessage,
  updateMessageAsServer: updateMessage,
  deleteMessage,
  deleteMessageAsServer: deleteMessageForAll,
  sendReceipt: recordReceipt,

  sendMessage,
  sendMessageAsServer: sendAsServer,

  listScheduledMessages,
  getScheduledMessage,
  cancelScheduledMessage,

  listParts,
  getPart,
  addPart,
  updatePart,
  removePart,
  replaceParts,
  listPartsInConversation: listParts,
  getPartInConversation: getPart,
  addPartInConversation: addPart,
  updatePartInConversation: updatePart,
  removePartInConversation: removePart,
  replacePartsInConversation: replaceParts,
  listPartsAsServer: listParts,
  getPartAsServer: getPart,
  addPartAsServer: addPart,
  updatePartAsServer: updatePart,
  removePartAsServer: removePart,
  replacePartsAsServer: replaceParts,

  react,
  unreact,
  listReactions,
  listReactionsAsServer: listReactions,

  createContent,
  createContentAsServer: createContentInConversation,
  getContent: refreshContent,
  getContentAsServer: refreshContentInConversation,

  updateApp,

  createWebhook: webhooks.createWebhook,
  listWebhooks: webhooks.listWebhooks,
  getWebhook: webhooks.getWebhook,
  updateWebhook: webhooks.updateWebhook,
  deleteWebhook: webhooks.deleteWebhook,
  activateWebhook: webhooks.activateWebhook,
  deactivateWebhook: webhooks.deactivateWebhook,
  rotateWebhookSecret: webhooks.rotateSecret,

  listDeliveries,
  getDelivery,
  sendTestEvent,
  replayDeliveries,
  replayDelivery,

  registerExportKey: exports.registerExportKey,
  getExportKey: exports.getExportKey,
  requestExport: exports.requestExport,
  listExports: exports.listExports,
  getExport: exports.getExport,
  deleteExport: exports.deleteExport,
  configureExportSchedule: exports.configureExportSchedule,
  getExportSchedule: exports.getExportSchedule,
};
