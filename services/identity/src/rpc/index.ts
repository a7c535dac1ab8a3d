import type { ServiceImpl } from '@connectrpc/connect';
import type { RpcServer } from '@parley/kit/rpc-server';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { PresenceService } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { OperationService } from '@parley/proto/parley/identity/v1/operation_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import type { Context } from '../context.ts';
import { createApp } from './admin/create-app.ts';
import { listApps } from './admin/list-apps.ts';
import { getApp } from './admin/get-app.ts';
import { updateApp } from './admin/update-app.ts';
import { suspendApp } from './admin/suspend-app.ts';
import { resumeApp } from './admin/resume-app.ts';
import { deleteApp } from './admin/delete-app.ts';
import { createProvider } from './admin/create-provider.ts';
import { listProviders } from './admin/list-providers.ts';
import { deleteProvider } from './admin/delete-provider.ts';
import { createKey } from './admin/create-key.ts';
import { listKeys } from './admin/list-keys.ts';
import { enableKey } from './admin/enable-key.ts';
import { disableKey } from './admin/disable-key.ts';
import { deleteKey } from './admin/delete-key.ts';
import { createAccessToken } from './admin/create-access-token.ts';
import { listAccessTokens } from './admin/list-access-tokens.ts';
import { deleteAccessToken } from './admin/delete-access-token.ts';
import { validateIdentityToken } from './admin/validate-identity-token.ts';
import { searchUsers } from './admin/search-users.ts';
import { suspendUser } from './admin/suspend-user.ts';
import { resumeUser } from './admin/resume-user.ts';
import { listUserSessions } from './admin/list-user-sessions.ts';
import { listAuditEntries } from './admin/list-audit-entries.ts';
import { getStatistics } from './admin/get-statistics.ts';
import { issueNonce } from './issue-nonce.ts';
import { beginOperation } from './begin-operation.ts';
import { createSession } from './create-session.ts';
import { deletePushToken } from './delete-push-token.ts';
import { finishOperation } from './finish-operation.ts';
import { listPushTargets } from './list-push-targets.ts';
import { registerPushToken } from './register-push-token.ts';
import { deleteSession } from './delete-session.ts';
import { deleteUserSessions } from './delete-user-sessions.ts';
import { resolveTokens } from './resolve-tokens.ts';
import { listRevocations } from './list-revocations.ts';
import { findIdentities } from './find-identities.ts';
import { createIdentity } from './create-identity.ts';
import { replaceIdentity } from './replace-identity.ts';
import { updateIdentity } from './update-identity.ts';
import { deleteIdentity } from './delete-identity.ts';
import { eraseUser } from './erase-user.ts';
import { setUserSuspended } from './set-user-suspended.ts';
import { updateAppSettings } from './update-app-settings.ts';

import { findUnknownUsers } from './find-unknown-users.ts';
import { followUser } from './follow-user.ts';
import { followUsers } from './follow-users.ts';
import { getExternalUnreadCount } from './get-external-unread-count.ts';
import { getPresences } from './get-presences.ts';
import { isFollowing } from './is-following.ts';
import { listBlocks } from './list-blocks.ts';
import { listFollowing } from './list-following.ts';
import { listUserEvents } from './list-user-events.ts';
import { reportPresences } from './report-presences.ts';
import { setExternalUnreadCount } from './set-external-unread-count.ts';
import { unfollowUser } from './unfollow-user.ts';
import { updateBlocks } from './update-blocks.ts';

/** The whole API of this service. */
export function mountRpc(server: RpcServer, ctx: Context): void {
  server.service(IdentityService, identityService(ctx));
  server.service(RelationService, relationService(ctx));
  server.service(PresenceService, presenceService(ctx));
  server.service(ChangeLogService, changeLogService(ctx));
  server.service(AdminService, adminService(ctx));
  server.service(OperationService, {
    beginOperation: (req) => beginOperation(ctx, req),
    finishOperation: (req) => finishOperation(ctx, req),
  });
  server.service(PushTokenService, {
    registerPushToken: (req) => registerPushToken(ctx, req),
    deletePushToken: (req) => deletePushToken(ctx, req),
    listPushTargets: (req) => listPushTargets(ctx, req),
  });
}

function identityService(ctx: Context): ServiceImpl<typeof IdentityService> {
  return {
    issueNonce: () => issueNonce(ctx),
    createSession: (req) => createSession(ctx, req),
    deleteSession: (req) => deleteSession(ctx, req),
    deleteUserSessions: (req) => deleteUserSessions(ctx, req),
    resolveTokens: (req) => resolveTokens(ctx, req),
    listRevocations: (req) => listRevocations(ctx, req),
    findIdentities: (req) => findIdentities(ctx, req),
    createIdentity: (req) => createIdentity(ctx, req),
    replaceIdentity: (req) => replaceIdentity(ctx, req),
    updateIdentity: (req) => updateIdentity(ctx, req),
    deleteIdentity: (req) => deleteIdentity(ctx, req),
    eraseUser: (req) => eraseUser(ctx, req),
    setUserSuspended: (req) => setUserSuspended(ctx, req),
    findUnknownUsers: (req) => findUnknownUsers(ctx, req),
    getExternalUnreadCount: (req) => getExternalUnreadCount(ctx, req),
    setExternalUnreadCount: (req) => setExternalUnreadCount(ctx, req),
    updateAppSettings: (req) => updateAppSettings(ctx, req),
  };
}

function presenceService(ctx: Context): ServiceImpl<typeof PresenceService> {
  return {
    reportPresences: (req) => reportPresences(ctx, req),
    getPresences: (req) => getPresences(ctx, req),
  };
}

function relationService(ctx: Context): ServiceImpl<typeof RelationService> {
  return {
    followUser: (req) => followUser(ctx, req),
    unfollowUser: (req) => unfollowUser(ctx, req),
    followUsers: (req) => followUsers(ctx, req),
    isFollowing: (req) => isFollowing(ctx, req),
    listFollowing: (req) => listFollowing(ctx, req),
    updateBlocks: (req) => updateBlocks(ctx, req),
    listBlocks: (req) => listBlocks(ctx, req),
  };
}

/** Nothing here is of a conversation. */
function changeLogService(ctx: Context): ServiceImpl<typeof ChangeLogService> {
  return {
    listConversationEvents: () => ({}),
    listUserEvents: (req) => listUserEvents(ctx, req),
  };
}

function adminService(ctx: Context): ServiceImpl<typeof AdminService> {
  return {
    createApp: (req) => createApp(ctx, req),
    listApps: () => listApps(ctx),
    getApp: (req) => getApp(ctx, req),
    updateApp: (req) => updateApp(ctx, req),
    suspendApp: (req) => suspendApp(ctx, req),
    resumeApp: (req) => resumeApp(ctx, req),
    deleteApp: (req) => deleteApp(ctx, req),
    createProvider: (req) => createProvider(ctx, req),
    listProviders: (req) => listProviders(ctx, req),
    deleteProvider: (req) => deleteProvider(ctx, req),
    createKey: (req) => createKey(ctx, req),
    listKeys: (req) => listKeys(ctx, req),
    enableKey: (req) => enableKey(ctx, req),
    disableKey: (req) => disableKey(ctx, req),
    deleteKey: (req) => deleteKey(ctx, req),
    createAccessToken: (req) => createAccessToken(ctx, req),
    listAccessTokens: (req) => listAccessTokens(ctx, req),
    deleteAccessToken: (req) => deleteAccessToken(ctx, req),
    validateIdentityToken: (req) => validateIdentityToken(ctx, req),
    searchUsers: (req) => searchUsers(ctx, req),
    suspendUser: (req) => suspendUser(ctx, req),
    resumeUser: (req) => resumeUser(ctx, req),
    listUserSessions: (req) => listUserSessions(ctx, req),
    listAuditEntries: (req) => listAuditEntries(ctx, req),
    getStatistics: (req) => getStatistics(ctx, req),
  };
}
