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
import { markAllRead, updateConversation } from './conversations/update.ts';
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
import { recordReceipt } from './messages/receipt.ts';
import { cancelScheduledMessage, getScheduledMessage, listScheduledMessages } from './messages/scheduled.ts';
import { sendAsServer, sendMessage } from './messages/send.ts';
import { requestNotification } from './notifications.ts';
import { addPart, removePart, replaceParts, updatePart } from './parts/edit.ts';
import { getPart, listParts } from './parts/read.ts';
import type { Handler, Route } from './request/route.ts';
import { createSession, deleteSession, issueNonce, keyScopeOfLogin } from './sessions.ts';
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

/** One route. `options` are the properties of a Route that most routes leave at their defaults. */
export type Row = readonly [
  method: Route['method'],
  path: string,
  auth: Route['auth'],
  handle: Handler,
  summary: string,
  options?: Omit<Route, 'method' | 'path' | 'auth' | 'handle' | 'summary'>,
];

const LIST = { kind: 'list' } as const;
const OF_MESSAGE = { emptyNotFound: true } as const;
const NO_LOGIN = { limitedByAddress: true } as const;
const OF_WEBHOOKS = { accept: 'webhooks' } as const;
const LARGE = 'The request is larger than 1 MB: send the announcement in batches of recipients.';

/** Where clients begin. */
// prettier-ignore
export const ENTRY: readonly Row[] = [
  ['GET', '/', 'checked', linkServices, 'Where everything is; checks the token when there is one', { accept: 'any' }],
  ['GET', '/ping', 'none', ping, 'Whether the gateway answers', { accept: 'any' }],
];

/** For the servers of an application; paths are below `/apps/:app_uuid`. */
// prettier-ignore
export const SERVER: readonly Row[] = [
  ['PATCH', '', 'bearer', updateApp, 'Change settings of the app'],

  ['GET', '/users/:user_id', 'bearer', users.getUser, 'Get a user'],
  ['PATCH', '/users/:user_id', 'bearer', users.updateUser, 'Suspend a user, change blocks'],
  ['DELETE', '/users/:user_id', 'bearer', users.eraseUser, 'Erase a user', { kind: 'erasure' }],
  ['GET', '/users/:user_id/badge', 'bearer', users.getBadge, 'Get the counts of a badge'],
  ['PUT', '/users/:user_id/badge', 'bearer', users.setBadge, 'Set the external count'],
  ['GET', '/users/:user_id/pushes', 'bearer', listPushes, 'List pushes to a user', LIST],
  ['DELETE', '/users/:user_id/sessions', 'bearer', users.deleteUserSessions, 'End all sessions of a user'],

  // docs/protocol/webhooks.md
  ['POST', '/webhooks', 'bearer', webhooks.createWebhook, 'Register a webhook', OF_WEBHOOKS],
  ['GET', '/webhooks', 'bearer', webhooks.listWebhooks, 'List webhooks', { ...OF_WEBHOOKS, kind: 'list' }],
  ['GET', '/webhooks/:webhook_id', 'bearer', webhooks.getWebhook, 'Get a webhook', OF_WEBHOOKS],
  ['PATCH', '/webhooks/:webhook_id', 'bearer', webhooks.updateWebhook, 'Change a webhook', OF_WEBHOOKS],
  ['DELETE', '/webhooks/:webhook_id', 'bearer', webhooks.deleteWebhook, 'Delete a webhook', OF_WEBHOOKS],
  ['POST', '/webhooks/:webhook_id/activate', 'bearer', webhooks.activateWebhook, 'Verify and activate a webhook', OF_WEBHOOKS],
  ['POST', '/webhooks/:webhook_id/deactivate', 'bearer', webhooks.deactivateWebhook, 'Deactivate a webhook', OF_WEBHOOKS],
  ['POST', '/webhooks/:webhook_id/rotate_secret', 'bearer', webhooks.rotateSecret, "Rotate a webhook's secret", OF_WEBHOOKS],
  ['POST', '/webhooks/:webhook_id/test', 'bearer', sendTestEvent, 'Send a test event', OF_WEBHOOKS],
  ['GET', '/webhooks/:webhook_id/deliveries', 'bearer', listDeliveries, 'List deliveries', { ...OF_WEBHOOKS, kind: 'list' }],
  ['POST', '/webhooks/:webhook_id/deliveries/replay', 'bearer', replayDeliveries, 'Replay deliveries of a time', { ...OF_WEBHOOKS, kind: 'patch' }],
  ['GET', '/webhooks/:webhook_id/deliveries/:delivery_id', 'bearer', getDelivery, 'Get a delivery', OF_WEBHOOKS],
  ['POST', '/webhooks/:webhook_id/deliveries/:delivery_id/replay', 'bearer', replayDelivery, 'Replay a delivery', OF_WEBHOOKS],

  // docs/protocol/exports.md
  ['PUT', '/export_security', 'bearer', exports.registerExportKey, 'Register or replace the public key'],
  ['GET', '/export_security', 'bearer', exports.getExportKey, 'Get the public key'],
  ['POST', '/exports', 'bearer', exports.requestExport, 'Request a historical export', { kind: 'export' }],
  ['GET', '/exports', 'bearer', exports.listExports, 'List exports', LIST],
  ['GET', '/exports/:export_id/status', 'bearer', exports.getExport, 'Get the status of an export'],
  ['DELETE', '/exports/:export_id', 'bearer', exports.deleteExport, 'Delete or cancel an export'],
  ['PUT', '/export_schedule', 'bearer', exports.configureExportSchedule, 'Configure scheduled exports'],
  ['GET', '/export_schedule', 'bearer', exports.getExportSchedule, 'Get the settings of scheduled exports'],

  ['GET', '/users/:user_id/identity', 'bearer', identities.getUserIdentity, 'Get an identity'],
  ['POST', '/users/:user_id/identity', 'bearer', identities.createIdentity, 'Create an identity'],
  ['PUT', '/users/:user_id/identity', 'bearer', identities.replaceIdentity, 'Replace an identity'],
  ['PATCH', '/users/:user_id/identity', 'bearer', identities.updateIdentity, 'Change an identity'],
  ['DELETE', '/users/:user_id/identity', 'bearer', identities.deleteIdentity, 'Delete an identity'],

  // As a user may, but by shorter paths, and for a follower who is suspended too. docs/protocol/users.md#following
  ['GET', '/users/:owner_user_id/identities', 'bearer', identities.listFollowedIdentities, 'List followed identities', LIST],
  ['GET', '/users/:owner_user_id/following', 'bearer', listFollowedUsers, 'List followed users', LIST],
  ['POST', '/users/:owner_user_id/following', 'bearer', followUsers, 'Follow several users', { kind: 'patch' }],
  ['GET', '/users/:owner_user_id/following/:user_id', 'bearer', isFollowing, 'Is a user followed'],
  ['PUT', '/users/:owner_user_id/following/:user_id', 'bearer', followUser, 'Follow a user'],
  ['DELETE', '/users/:owner_user_id/following/:user_id', 'bearer', unfollowUser, 'Unfollow a user'],

  // docs/protocol/users.md#blocks
  ['GET', '/users/:user_id/blocks', 'bearer', listBlocks, 'List blocked users', LIST],
  ['PATCH', '/users/:user_id/blocks', 'bearer', patchBlocks, 'Change blocked users'],

  ['POST', '/announcements', 'bearer', createAnnouncement, 'Send an announcement', { kind: 'announcement', tooLarge: LARGE }],

  ['GET', '/conversations', 'bearer', listConversations, 'List all conversations', LIST],
  ['POST', '/conversations', 'bearer', createConversation, 'Create a conversation'],
  ['GET', '/conversations/:conversation_id', 'bearer', getConversation, 'Get a conversation'],
  ['PATCH', '/conversations/:conversation_id', 'bearer', updateConversation, 'Change a conversation'],
  ['DELETE', '/conversations/:conversation_id', 'bearer', deleteConversationForAll, 'Delete a conversation for all'],

  ['GET', '/conversations/:conversation_id/messages', 'bearer', listMessages, 'List messages', LIST],
  ['POST', '/conversations/:conversation_id/messages', 'bearer', sendAsServer, 'Send a message'],
  ['GET', '/conversations/:conversation_id/messages/:message_id', 'bearer', getMessage, 'Get a message', OF_MESSAGE],
  ['DELETE', '/conversations/:conversation_id/messages/:message_id', 'bearer', deleteMessageForAll, 'Delete a message for all', OF_MESSAGE],

  // docs/protocol/messages.md#scheduled-messages
  ['GET', '/conversations/:conversation_id/scheduled_messages', 'bearer', listScheduledMessages, 'List scheduled messages', LIST],
  ['GET', '/conversations/:conversation_id/scheduled_messages/:message_id', 'bearer', getScheduledMessage, 'Get a scheduled message'],
  ['DELETE', '/conversations/:conversation_id/scheduled_messages/:message_id', 'bearer', cancelScheduledMessage, 'Cancel a scheduled message'],

  ['POST', '/conversations/:conversation_id/content', 'bearer', createContentInConversation, 'Ask for an upload of rich content'],
  ['GET', '/conversations/:conversation_id/content/:content_id', 'bearer', refreshContentInConversation, 'Get a new download address'],

  ...partsOf('/conversations/:conversation_id/messages/:message_id', 'bearer'),

  ['POST', '/notifications', 'bearer', requestNotification, 'Push without a message'],
];

/** For clients. What needs a session, a server may do as the session's user, below `/apps/:app_uuid/users/:as_user_id`. */
// prettier-ignore
export const CLIENT: readonly Row[] = [
  ['POST', '/nonces', 'none', issueNonce, 'Request a nonce', NO_LOGIN],
  ['POST', '/sessions', 'none', createSession, 'Request a session token', { ...NO_LOGIN, keyScope: keyScopeOfLogin }],
  ['DELETE', '/sessions/:token', 'session', deleteSession, 'Delete a session token'],

  ['GET', '/conversations', 'session', listConversations, 'List conversations', LIST],
  ['POST', '/conversations', 'session', createConversation, 'Create a conversation'],
  ['GET', '/conversations/:conversation_id', 'session', getConversation, 'Get a conversation'],
  ['PATCH', '/conversations/:conversation_id', 'session', updateConversation, 'Change a conversation'],
  ['DELETE', '/conversations/:conversation_id', 'session', deleteConversation, 'Delete a conversation'],
  ['POST', '/conversations/:conversation_id/mark_all_read', 'session', markAllRead, 'Mark messages read up to a position'],

  ['GET', '/conversations/:conversation_id/messages', 'session', listMessages, 'List messages', LIST],
  ['POST', '/conversations/:conversation_id/messages', 'session', sendMessage, 'Send a message'],
  ['GET', '/messages/:message_id', 'session', getMessage, 'Get a message', OF_MESSAGE],
  ['DELETE', '/messages/:message_id', 'session', deleteMessage, 'Delete a message', OF_MESSAGE],

  // A user finds a message by its id alone, or within its conversation.
  ...partsOf('/messages/:message_id', 'session'),
  ...partsOf('/conversations/:conversation_id/messages/:message_id', 'session'),

  ['POST', '/content', 'session', createContent, 'Ask for an upload of rich content'],
  ['GET', '/content/:content_id', 'session', refreshContent, 'Get a new download address'],

  ['POST', '/messages/:message_id/receipts', 'session', recordReceipt, 'Send a message receipt', OF_MESSAGE],

  // docs/protocol/users.md#following
  ['PUT', '/presence', 'session', choosePresence, 'Choose what to appear as'],
  ['GET', '/identities', 'session', identities.listFollowedIdentities, 'List followed identities', LIST],
  ['GET', '/identities/:user_id', 'session', identities.getUserIdentity, 'Get an identity'],
  ['GET', '/following', 'session', listFollowedUsers, 'List followed users', LIST],
  ['POST', '/following/users', 'session', followUsers, 'Follow several users', { kind: 'patch' }],
  ['GET', '/following/users/:user_id', 'session', isFollowing, 'Is a user followed'],
  ['PUT', '/following/users/:user_id', 'session', followUser, 'Follow a user'],
  ['DELETE', '/following/users/:user_id', 'session', unfollowUser, 'Unfollow a user'],

  // docs/protocol/users.md#blocks
  ['GET', '/blocks', 'session', listBlocks, 'List blocked users', LIST],
  ['PUT', '/blocks/:user_id', 'session', blockUser, 'Block a user'],
  ['DELETE', '/blocks/:user_id', 'session', unblockUser, 'Unblock a user'],

  ['GET', '/announcements', 'session', listAnnouncements, 'List announcements', LIST],
  ['GET', '/announcements/:announcement_id', 'session', getAnnouncement, 'Get an announcement'],
  ['DELETE', '/announcements/:announcement_id', 'session', deleteAnnouncement, 'Delete an announcement'],
  ['POST', '/announcements/:announcement_id/receipts', 'session', recordAnnouncementReceipt, 'Send an announcement receipt'],

  ['POST', '/push_tokens', 'session', registerPushToken, 'Register a device for pushes'],
  ['GET', '/push_key', 'session', getPushKey, 'Get the key of subscriptions to pushes'],
  ['DELETE', '/push_tokens/:device_id', 'session', deletePushToken, 'Remove a device from pushes'],
];

/** The parts of a message, below its path. docs/protocol/messages.md#parts */
// prettier-ignore
function partsOf(message: string, auth: 'session' | 'bearer'): Row[] {
  return [
    ['GET', `${message}/parts`, auth, listParts, 'Get all parts', OF_MESSAGE],
    ['POST', `${message}/parts`, auth, addPart, 'Add a part', OF_MESSAGE],
    ['PUT', `${message}/parts`, auth, replaceParts, 'Replace all parts', OF_MESSAGE],
    ['GET', `${message}/parts/:part_id`, auth, getPart, 'Get a message part', OF_MESSAGE],
    ['PUT', `${message}/parts/:part_id`, auth, updatePart, 'Update a part', OF_MESSAGE],
    ['DELETE', `${message}/parts/:part_id`, auth, removePart, 'Remove a part', OF_MESSAGE],
  ];
}
