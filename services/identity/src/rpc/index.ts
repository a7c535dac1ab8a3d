import type { ServiceImpl } from '@connectrpc/connect';
import { tooManyAtOnce } from '@parley/domain/problems';
import { createPoolShares, type PoolShares } from '@parley/kit/postgres/pool-shares';
import type { RpcServer } from '@parley/kit/rpc/server';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import { FigureService } from '@parley/proto/parley/identity/v1/figure_service_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { PresenceService } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { OperationService } from '@parley/proto/parley/identity/v1/operation_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { IdentityRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
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
import { listUserDevices } from './admin/list-user-devices.ts';
import { listUserSessions } from './admin/list-user-sessions.ts';
import { listAuditEntries } from './admin/list-audit-entries.ts';
import { getStatistics } from './admin/get-statistics.ts';
import { getFigures } from './admin/get-figures.ts';
import { createAutomationToken } from './admin/create-automation-token.ts';
import { listAutomationTokens } from './admin/list-automation-tokens.ts';
import { deleteAutomationToken } from './admin/delete-automation-token.ts';
import { listOpenConsoleSessions } from './admin/list-open-console-sessions.ts';
import { revokeConsoleSession } from './admin/revoke-console-session.ts';
import { createSignInCode } from './admin/create-sign-in-code.ts';
import { createAppToken } from './console/create-app-token.ts';
import { endConsoleSession } from './console/end-console-session.ts';
import { findApp } from './console/find-app.ts';
import { listConsoleSessions } from './console/list-console-sessions.ts';
import { openConsoleSession } from './console/open-console-session.ts';
import { recordContentRead } from './console/record-content-read.ts';
import { beginOperatorCall } from './console/begin-operator-call.ts';
import { endOperatorCall } from './console/end-operator-call.ts';
import { recordOperatorCall } from './console/record-operator-call.ts';
import { redeemSignInCode } from './console/redeem-sign-in-code.ts';
import { resolveAutomationToken } from './console/resolve-automation-token.ts';
import { resumeConsoleSession } from './console/resume-console-session.ts';
import { recoveryService } from './recovery/index.ts';
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
import { listHiddenFrom } from './list-hidden-from.ts';
import { isFollowing } from './is-following.ts';
import { listBlockStates } from './list-block-states.ts';
import { listBlocks } from './list-blocks.ts';
import { listFollowing } from './list-following.ts';
import { listUserEvents } from './list-user-events.ts';
import { recordFigures } from './record-figures.ts';
import { reportPresences } from './report-presences.ts';
import { setExternalUnreadCount } from './set-external-unread-count.ts';
import { unfollowUser } from './unfollow-user.ts';
import { updateBlocks } from './update-blocks.ts';

/**
 * The whole API of this service. A call for one application uses the application's share of the database connections.
 * Calls that serve many applications at once do not: tokens, revocations and reports of presence, figures; and messaging's
 * look-ups of names and devices use connections outside the shares. Nor do logins, which have no authenticated caller
 * yet.
 */
export function mountRpc(server: RpcServer, ctx: Context): void {
  const shares = createPoolShares({ poolSize: ctx.config.poolSize, refusal: tooManyAtOnce });
  server.service(IdentityService, identityService(ctx, shares));
  server.service(RelationService, relationService(ctx, shares));
  server.service(PresenceService, presenceService(ctx, shares));
  server.service(ChangeLogService, changeLogService(ctx, shares));
  server.service(AdminService, adminService(ctx));
  server.service(ConsoleService, consoleService(ctx));
  server.service(FigureService, { recordFigures: (req) => recordFigures(ctx, req) });
  server.service(IdentityRecoveryService, recoveryService(ctx));
  server.service(OperationService, {
    beginOperation: (req) =>
      req.login ? beginOperation(ctx, req) : shares.run(req.appId, () => beginOperation(ctx, req)),
    finishOperation: (req) => shares.run(req.appId, () => finishOperation(ctx, req)),
  });
  server.service(PushTokenService, {
    registerPushToken: (req) => shares.run(req.appId, () => registerPushToken(ctx, req)),
    deletePushToken: (req) => shares.run(req.appId, () => deletePushToken(ctx, req)),
    listPushTargets: (req) => shares.runBatched(req.appId, () => listPushTargets(ctx, req)),
  });
}

function identityService(ctx: Context, shares: PoolShares): ServiceImpl<typeof IdentityService> {
  return {
    issueNonce: () => issueNonce(ctx),
    createSession: (req) => createSession(ctx, req),
    deleteSession: (req) => deleteSession(ctx, req),
    deleteUserSessions: (req) => deleteUserSessions(ctx, req),
    resolveTokens: (req) => resolveTokens(ctx, req),
    listRevocations: (req) => listRevocations(ctx, req),
    findIdentities: (req) =>
      shares[req.batched ? 'runBatched' : 'run'](req.appId, () => findIdentities(ctx, req)),
    createIdentity: (req) => shares.run(req.identity?.appId ?? '', () => createIdentity(ctx, req)),
    replaceIdentity: (req) => shares.run(req.identity?.appId ?? '', () => replaceIdentity(ctx, req)),
    updateIdentity: (req) => shares.run(req.identity?.appId ?? '', () => updateIdentity(ctx, req)),
    deleteIdentity: (req) => shares.run(req.appId, () => deleteIdentity(ctx, req)),
    eraseUser: (req) => shares.run(req.appId, () => eraseUser(ctx, req)),
    setUserSuspended: (req) => shares.run(req.appId, () => setUserSuspended(ctx, req)),
    findUnknownUsers: (req) => shares.runHeavy(req.appId, () => findUnknownUsers(ctx, req)),
    getExternalUnreadCount: (req) => shares.run(req.appId, () => getExternalUnreadCount(ctx, req)),
    setExternalUnreadCount: (req) => shares.run(req.appId, () => setExternalUnreadCount(ctx, req)),
    updateAppSettings: (req) => shares.run(req.appId, () => updateAppSettings(ctx, req)),
  };
}

function presenceService(ctx: Context, shares: PoolShares): ServiceImpl<typeof PresenceService> {
  return {
    reportPresences: (req) => reportPresences(ctx, req),
    getPresences: (req) => shares.run(req.appId, () => getPresences(ctx, req)),
    listHiddenFrom: (req) => shares.run(req.appId, () => listHiddenFrom(ctx, req)),
  };
}

function relationService(ctx: Context, shares: PoolShares): ServiceImpl<typeof RelationService> {
  return {
    followUser: (req) => shares.run(req.appId, () => followUser(ctx, req)),
    unfollowUser: (req) => shares.run(req.appId, () => unfollowUser(ctx, req)),
    followUsers: (req) => shares.runHeavy(req.appId, () => followUsers(ctx, req)),
    isFollowing: (req) => shares.run(req.appId, () => isFollowing(ctx, req)),
    listFollowing: (req) => shares.run(req.appId, () => listFollowing(ctx, req)),
    updateBlocks: (req) => shares.run(req.appId, () => updateBlocks(ctx, req)),
    listBlockStates: (req) => shares.run(req.appId, () => listBlockStates(ctx, req)),
    listBlocks: (req) => shares.run(req.appId, () => listBlocks(ctx, req)),
  };
}

/** This service has no events of conversations. */
function changeLogService(ctx: Context, shares: PoolShares): ServiceImpl<typeof ChangeLogService> {
  return {
    listConversationEvents: () => ({}),
    listUserEvents: (req) => shares.runHeavy(req.appId, () => listUserEvents(ctx, req)),
    async getEpoch() {
      await ctx.epochs.check(ctx.db);
      return { epoch: ctx.epochs.current() };
    },
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
    listUserDevices: (req) => listUserDevices(ctx, req),
    listUserSessions: (req) => listUserSessions(ctx, req),
    listAuditEntries: (req) => listAuditEntries(ctx, req),
    getStatistics: (req) => getStatistics(ctx, req),
    getFigures: (req) => getFigures(ctx, req),
    createAutomationToken: (req) => createAutomationToken(ctx, req),
    listAutomationTokens: () => listAutomationTokens(ctx),
    deleteAutomationToken: (req) => deleteAutomationToken(ctx, req),
    listOpenConsoleSessions: (req) => listOpenConsoleSessions(ctx, req),
    revokeConsoleSession: (req) => revokeConsoleSession(ctx, req),
    createSignInCode: () => createSignInCode(ctx),
  };
}

function consoleService(ctx: Context): ServiceImpl<typeof ConsoleService> {
  return {
    redeemSignInCode: (req) => redeemSignInCode(ctx, req),
    resumeConsoleSession: (req) => resumeConsoleSession(ctx, req),
    listConsoleSessions: (req) => listConsoleSessions(ctx, req),
    endConsoleSession: (req) => endConsoleSession(ctx, req),
    openConsoleSession: (req) => openConsoleSession(ctx, req),
    resolveAutomationToken: (req) => resolveAutomationToken(ctx, req),
    findApp: (req) => findApp(ctx, req),
    recordContentRead: (req) => recordContentRead(ctx, req),
    beginOperatorCall: (req) => beginOperatorCall(ctx, req),
    endOperatorCall: (req) => endOperatorCall(ctx, req),
    recordOperatorCall: (req) => recordOperatorCall(ctx, req),
    createAppToken: (req) => createAppToken(ctx, req),
  };
}
