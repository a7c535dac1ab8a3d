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
import type { RuleText } from '../operators/rule.ts';
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

/**
 * One route. `operator`: the least role in the console with whose token it may be called, and what leaves by it, in its answer or later; of a route
 * for sessions, when it is called as a user. Null: no token of the console reaches it. `options` are the properties of a Route that most routes leave at
 * their defaults. docs/console.md#what-leaves-the-platform
 */
export type Row = readonly [
  method: Route['method'],
  path: string,
  auth: Route['auth'],
  operator: RuleText | null,
  handle: Handler,
  summary: string,
  options?: Omit<Route, 'method' | 'path' | 'auth' | 'operator' | 'handle' | 'summary'>,
];

const LIST = { kind: 'list' } as const;
const OF_MESSAGE = { emptyNotFound: true } as const;
const OF_WEBHOOKS = { accept: 'webhooks' } as const;
const LARGE = 'The request is larger than 1 MB: send the announcement in batches of recipients.';

/** Where clients begin. */
// prettier-ignore
export const ENTRY: readonly Row[] = [
  ['GET', '/', 'checked', null, linkServices, 'Where everything is; checks the token when there is one', { accept: 'any' }],
  ['GET', '/ping', 'none', null, ping, 'Whether the gateway answers', { accept: 'any' }],
];

/** For the servers of an application; paths are below `/apps/:app_uuid`. */
// prettier-ignore
export const SERVER: readonly Row[] = [
  ['PATCH', '', 'bearer', 'operator: none', updateApp, 'Change settings of the app'],

  ['GET', '/users/:user_id', 'bearer', 'viewer: users', users.getUser, 'Get a user'],
  ['PATCH', '/users/:user_id', 'bearer', 'operator: users', users.updateUser, 'Suspend a user, change blocks'],
  ['DELETE', '/users/:user_id', 'bearer', 'operator: none', users.eraseUser, 'Erase a user', { kind: 'erasure' }],
  ['GET', '/users/:user_id/badge', 'bearer', 'viewer: users', users.getBadge, 'Get the counts of a badge'],
  ['PUT', '/users/:user_id/badge', 'bearer', 'operator: users', users.setBadge, 'Set the external count'],
  ['GET', '/users/:user_id/pushes', 'bearer', 'operator: messages', listPushes, 'List pushes to a user', LIST],
  ['DELETE', '/users/:user_id/sessions', 'bearer', 'operator: none', users.deleteUserSessions, 'End all sessions of a user'],

  // docs/protocol/webhooks.md
  ['POST', '/webhooks', 'bearer', 'owner: messages', webhooks.createWebhook, 'Register a webhook', OF_WEBHOOKS],
  ['GET', '/webhooks', 'bearer', 'viewer: none', webhooks.listWebhooks, 'List webhooks', { ...OF_WEBHOOKS, kind: 'list' }],
  ['GET', '/webhooks/:webhook_id', 'bearer', 'viewer: none', webhooks.getWebhook, 'Get a webhook', OF_WEBHOOKS],
  ['PATCH', '/webhooks/:webhook_id', 'bearer', 'owner: messages', webhooks.updateWebhook, 'Change a webhook', OF_WEBHOOKS],
  ['DELETE', '/webhooks/:webhook_id', 'bearer', 'owner: none', webhooks.deleteWebhook, 'Delete a webhook', OF_WEBHOOKS],
  ['POST', '/webhooks/:webhook_id/activate', 'bearer', 'owner: messages', webhooks.activateWebhook, 'Verify and activate a webhook', OF_WEBHOOKS],
  ['POST', '/webhooks/:webhook_id/deactivate', 'bearer', 'owner: none', webhooks.deactivateWebhook, 'Deactivate a webhook', OF_WEBHOOKS],
  ['POST', '/webhooks/:webhook_id/rotate_secret', 'bearer', 'owner: credentials', webhooks.rotateSecret, "Rotate a webhook's secret", OF_WEBHOOKS],
  ['POST', '/webhooks/:webhook_id/test', 'bearer', 'owner: none', sendTestEvent, 'Send a test event', OF_WEBHOOKS],
  ['GET', '/webhooks/:webhook_id/deliveries', 'bearer', 'viewer: none', listDeliveries, 'List deliveries', { ...OF_WEBHOOKS, kind: 'list' }],
  ['POST', '/webhooks/:webhook_id/deliveries/replay', 'bearer', 'owner: messages', replayDeliveries, 'Replay deliveries of a time', { ...OF_WEBHOOKS, kind: 'patch' }],
  ['GET', '/webhooks/:webhook_id/deliveries/:delivery_id', 'bearer', 'operator: messages', getDelivery, 'Get a delivery', OF_WEBHOOKS],
  ['POST', '/webhooks/:webhook_id/deliveries/:delivery_id/replay', 'bearer', 'owner: messages', replayDelivery, 'Replay a delivery', OF_WEBHOOKS],

  // docs/protocol/exports.md
  ['PUT', '/export_security', 'bearer', 'owner: messages', exports.registerExportKey, 'Register or replace the public key'],
  ['GET', '/export_security', 'bearer', 'viewer: none', exports.getExportKey, 'Get the public key'],
  ['POST', '/exports', 'bearer', 'owner: messages', exports.requestExport, 'Request a historical export', { kind: 'export' }],
  ['GET', '/exports', 'bearer', 'owner: messages', exports.listExports, 'List exports', LIST],
  ['GET', '/exports/:export_id/status', 'bearer', 'owner: messages', exports.getExport, 'Get the status of an export'],
  ['DELETE', '/exports/:export_id', 'bearer', 'owner: none', exports.deleteExport, 'Delete or cancel an export'],
  ['PUT', '/export_schedule', 'bearer', 'owner: messages', exports.configureExportSchedule, 'Configure scheduled exports'],
  ['GET', '/export_schedule', 'bearer', 'viewer: none', exports.getExportSchedule, 'Get the settings of scheduled exports'],

  ['GET', '/users/:user_id/identity', 'bearer', 'viewer: users', identities.getUserIdentity, 'Get an identity'],
  ['POST', '/users/:user_id/identity', 'bearer', 'operator: users', identities.createIdentity, 'Create an identity'],
  ['PUT', '/users/:user_id/identity', 'bearer', 'operator: users', identities.replaceIdentity, 'Replace an identity'],
  ['PATCH', '/users/:user_id/identity', 'bearer', 'operator: users', identities.updateIdentity, 'Change an identity'],
  ['DELETE', '/users/:user_id/identity', 'bearer', 'operator: users', identities.deleteIdentity, 'Delete an identity'],

  // As a user may, but by shorter paths, and for a follower who is suspended too. docs/protocol/users.md#following
  ['GET', '/users/:owner_user_id/identities', 'bearer', 'viewer: users', identities.listFollowedIdentities, 'List followed identities', LIST],
  ['GET', '/users/:owner_user_id/following', 'bearer', 'viewer: users', listFollowedUsers, 'List followed users', LIST],
  ['POST', '/users/:owner_user_id/following', 'bearer', 'operator: users', followUsers, 'Follow several users', { kind: 'patch' }],
  ['GET', '/users/:owner_user_id/following/:user_id', 'bearer', 'viewer: users', isFollowing, 'Is a user followed'],
  ['PUT', '/users/:owner_user_id/following/:user_id', 'bearer', 'operator: users', followUser, 'Follow a user'],
  ['DELETE', '/users/:owner_user_id/following/:user_id', 'bearer', 'operator: users', unfollowUser, 'Unfollow a user'],

  // docs/protocol/users.md#blocks
  ['GET', '/users/:user_id/blocks', 'bearer', 'viewer: users', listBlocks, 'List blocked users', LIST],
  ['PATCH', '/users/:user_id/blocks', 'bearer', 'operator: users', patchBlocks, 'Change blocked users'],

  ['POST', '/announcements', 'bearer', 'operator: messages', createAnnouncement, 'Send an announcement', { kind: 'announcement', tooLarge: LARGE }],

  ['GET', '/conversations', 'bearer', 'operator: messages', listConversations, 'List all conversations', LIST],
  ['POST', '/conversations', 'bearer', 'operator: messages', createConversation, 'Create a conversation'],
  ['GET', '/conversations/:conversation_id', 'bearer', 'operator: messages', getConversation, 'Get a conversation'],
  ['PATCH', '/conversations/:conversation_id', 'bearer', 'operator: messages', updateConversation, 'Change a conversation'],
  ['DELETE', '/conversations/:conversation_id', 'bearer', 'operator: messages', deleteConversationForAll, 'Delete a conversation for all'],

  ['GET', '/conversations/:conversation_id/messages', 'bearer', 'operator: messages', listMessages, 'List messages', LIST],
  ['POST', '/conversations/:conversation_id/messages', 'bearer', 'operator: messages', sendAsServer, 'Send a message'],
  ['GET', '/conversations/:conversation_id/messages/:message_id', 'bearer', 'operator: messages', getMessage, 'Get a message', OF_MESSAGE],
  ['DELETE', '/conversations/:conversation_id/messages/:message_id', 'bearer', 'operator: messages', deleteMessageForAll, 'Delete a message for all', OF_MESSAGE],

  // docs/protocol/messages.md#scheduled-messages
  ['GET', '/conversations/:conversation_id/scheduled_messages', 'bearer', 'operator: messages', listScheduledMessages, 'List scheduled messages', LIST],
  ['GET', '/conversations/:conversation_id/scheduled_messages/:message_id', 'bearer', 'operator: messages', getScheduledMessage, 'Get a scheduled message'],
  ['DELETE', '/conversations/:conversation_id/scheduled_messages/:message_id', 'bearer', 'operator: messages', cancelScheduledMessage, 'Cancel a scheduled message'],

  ['POST', '/conversations/:conversation_id/content', 'bearer', 'operator: messages', createContentInConversation, 'Ask for an upload of rich content'],
  ['GET', '/conversations/:conversation_id/content/:content_id', 'bearer', 'operator: messages', refreshContentInConversation, 'Get a new download address'],

  ...partsOf('/conversations/:conversation_id/messages/:message_id', 'bearer'),

  ['POST', '/notifications', 'bearer', 'operator: messages', requestNotification, 'Push without a message'],
];

/** For clients. What needs a session, a server may do as the session's user, below `/apps/:app_uuid/users/:as_user_id`. */
// prettier-ignore
export const CLIENT: readonly Row[] = [
  ['POST', '/nonces', 'none', null, issueNonce, 'Request a nonce'],
  ['POST', '/sessions', 'none', null, createSession, 'Request a session token', { keyScope: keyScopeOfLogin }],
  ['DELETE', '/sessions/:token', 'session', 'operator: none', deleteSession, 'Delete a session token'],

  ['GET', '/conversations', 'session', 'operator: messages', listConversations, 'List conversations', LIST],
  ['POST', '/conversations', 'session', 'operator: messages', createConversation, 'Create a conversation'],
  ['GET', '/conversations/:conversation_id', 'session', 'operator: messages', getConversation, 'Get a conversation'],
  ['PATCH', '/conversations/:conversation_id', 'session', 'operator: messages', updateConversation, 'Change a conversation'],
  ['DELETE', '/conversations/:conversation_id', 'session', 'operator: messages', deleteConversation, 'Delete a conversation'],
  ['POST', '/conversations/:conversation_id/mark_all_read', 'session', 'operator: messages', markAllRead, 'Mark messages read up to a position'],

  ['GET', '/conversations/:conversation_id/messages', 'session', 'operator: messages', listMessages, 'List messages', LIST],
  ['POST', '/conversations/:conversation_id/messages', 'session', 'operator: messages', sendMessage, 'Send a message'],
  ['GET', '/messages/:message_id', 'session', 'operator: messages', getMessage, 'Get a message', OF_MESSAGE],
  ['DELETE', '/messages/:message_id', 'session', 'operator: messages', deleteMessage, 'Delete a message', OF_MESSAGE],

  // A user finds a message by its id alone, or within its conversation.
  ...partsOf('/messages/:message_id', 'session'),
  ...partsOf('/conversations/:conversation_id/messages/:message_id', 'session'),

  ['POST', '/content', 'session', 'operator: messages', createContent, 'Ask for an upload of rich content'],
  ['GET', '/content/:content_id', 'session', 'operator: messages', refreshContent, 'Get a new download address'],

  ['POST', '/messages/:message_id/receipts', 'session', 'operator: messages', recordReceipt, 'Send a message receipt', OF_MESSAGE],

  // docs/protocol/users.md#following
  ['PUT', '/presence', 'session', 'operator: users', choosePresence, 'Choose what to appear as'],
  ['GET', '/identities', 'session', 'operator: users', identities.listFollowedIdentities, 'List followed identities', LIST],
  ['GET', '/identities/:user_id', 'session', 'operator: users', identities.getUserIdentity, 'Get an identity'],
  ['GET', '/following', 'session', 'operator: users', listFollowedUsers, 'List followed users', LIST],
  ['POST', '/following/users', 'session', 'operator: users', followUsers, 'Follow several users', { kind: 'patch' }],
  ['GET', '/following/users/:user_id', 'session', 'operator: users', isFollowing, 'Is a user followed'],
  ['PUT', '/following/users/:user_id', 'session', 'operator: users', followUser, 'Follow a user'],
  ['DELETE', '/following/users/:user_id', 'session', 'operator: users', unfollowUser, 'Unfollow a user'],

  // docs/protocol/users.md#blocks
  ['GET', '/blocks', 'session', 'operator: users', listBlocks, 'List blocked users', LIST],
  ['PUT', '/blocks/:user_id', 'session', 'operator: users', blockUser, 'Block a user'],
  ['DELETE', '/blocks/:user_id', 'session', 'operator: users', unblockUser, 'Unblock a user'],

  ['GET', '/announcements', 'session', 'operator: messages', listAnnouncements, 'List announcements', LIST],
  ['GET', '/announcements/:announcement_id', 'session', 'operator: messages', getAnnouncement, 'Get an announcement'],
  ['DELETE', '/announcements/:announcement_id', 'session', 'operator: messages', deleteAnnouncement, 'Delete an announcement'],
  ['POST', '/announcements/:announcement_id/receipts', 'session', 'operator: messages', recordAnnouncementReceipt, 'Send an announcement receipt'],

  ['POST', '/push_tokens', 'session', 'owner: messages', registerPushToken, 'Register a device for pushes'],
  ['GET', '/push_key', 'session', 'operator: none', getPushKey, 'Get the key of subscriptions to pushes'],
  ['DELETE', '/push_tokens/:device_id', 'session', 'operator: none', deletePushToken, 'Remove a device from pushes'],
];

/** The parts of a message, below its path. docs/protocol/messages.md#parts */
// prettier-ignore
function partsOf(message: string, auth: 'session' | 'bearer'): Row[] {
  return [
    ['GET', `${message}/parts`, auth, 'operator: messages', listParts, 'Get all parts', OF_MESSAGE],
    ['POST', `${message}/parts`, auth, 'operator: messages', addPart, 'Add a part', OF_MESSAGE],
    ['PUT', `${message}/parts`, auth, 'operator: messages', replaceParts, 'Replace all parts', OF_MESSAGE],
    ['GET', `${message}/parts/:part_id`, auth, 'operator: messages', getPart, 'Get a message part', OF_MESSAGE],
    ['PUT', `${message}/parts/:part_id`, auth, 'operator: messages', updatePart, 'Update a part', OF_MESSAGE],
    ['DELETE', `${message}/parts/:part_id`, auth, 'operator: messages', removePart, 'Remove a part', OF_MESSAGE],
  ];
}
