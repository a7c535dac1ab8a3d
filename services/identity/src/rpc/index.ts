import { tooManyAtOnce } from '@parley/domain/problems';
import { createPoolShares } from '@parley/kit/postgres/pool-shares';
import { implement, type Handlers } from '@parley/kit/rpc/implement';
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
import { RECOVERY } from './recovery/index.ts';
import { issueNonce } from './issue-nonce.ts';
import { beginOperation } from './begin-operation.ts';
import { createSession } from './create-session.ts';
import { deletePushToken } from './delete-push-token.ts';
import { finishOperation } from './finish-operation.ts';
import { listPushTargets } from './list-push-targets.ts';
import { registerPushToken } from './register-push-token.ts';
import { deleteSession } from './delete-session.ts';
import { deleteUserSessions } from './delete-user-sessions.ts';
import { countCellApps } from './count-cell-apps.ts';
import { getAppCells } from './get-app-cells.ts';
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
import { findUsers } from './find-users.ts';
import { listUsers } from './list-users.ts';
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
import type { RpcContext } from './rpc-context.ts';
import { reportPresences } from './report-presences.ts';
import { setExternalUnreadCount } from './set-external-unread-count.ts';
import { unfollowUser } from './unfollow-user.ts';
import { updateBlocks } from './update-blocks.ts';

/** Mounts the RPCs of this service. */
export function mountRpc(server: RpcServer, context: Context): void {
  const shares = createPoolShares({ poolSize: context.config.poolSize, refusal: tooManyAtOnce });
  const ctx: RpcContext = { ...context, shares };
  server.service(IdentityService, implement(IdentityService, ctx, IDENTITIES));
  server.service(RelationService, implement(RelationService, ctx, RELATIONS));
  server.service(PresenceService, implement(PresenceService, ctx, PRESENCE));
  server.service(ChangeLogService, implement(ChangeLogService, ctx, CHANGE_LOG));
  server.service(AdminService, implement(AdminService, ctx, ADMINISTRATION));
  server.service(ConsoleService, implement(ConsoleService, ctx, CONSOLE));
  server.service(FigureService, implement(FigureService, ctx, { recordFigures }));
  server.service(IdentityRecoveryService, implement(IdentityRecoveryService, ctx, RECOVERY));
  server.service(OperationService, implement(OperationService, ctx, { beginOperation, finishOperation }));
  server.service(PushTokenService, implement(PushTokenService, ctx, PUSH_TOKENS));
}

const IDENTITIES: Handlers<typeof IdentityService, RpcContext> = {
  issueNonce,
  createSession,
  deleteSession,
  deleteUserSessions,
  resolveTokens,
  listRevocations,
  findIdentities,
  createIdentity,
  replaceIdentity,
  updateIdentity,
  deleteIdentity,
  eraseUser,
  setUserSuspended,
  listUsers,
  findUsers,
  findUnknownUsers,
  getExternalUnreadCount,
  setExternalUnreadCount,
  updateAppSettings,
  getAppCells,
  countCellApps,
};

const RELATIONS: Handlers<typeof RelationService, RpcContext> = {
  followUser,
  unfollowUser,
  followUsers,
  isFollowing,
  listFollowing,
  updateBlocks,
  listBlockStates,
  listBlocks,
};

const PRESENCE: Handlers<typeof PresenceService, RpcContext> = {
  reportPresences,
  getPresences,
  listHiddenFrom,
};

/** This service has no events of conversations. */
const CHANGE_LOG: Handlers<typeof ChangeLogService, RpcContext> = {
  listConversationEvents: () => ({}),
  listUserEvents,
  async getEpoch({ db, epochs }) {
    await epochs.check(db);
    return { epoch: epochs.current() };
  },
};

const ADMINISTRATION: Handlers<typeof AdminService, RpcContext> = {
  createApp,
  listApps,
  getApp,
  updateApp,
  suspendApp,
  resumeApp,
  deleteApp,
  createProvider,
  listProviders,
  deleteProvider,
  createKey,
  listKeys,
  enableKey,
  disableKey,
  deleteKey,
  createAccessToken,
  listAccessTokens,
  deleteAccessToken,
  validateIdentityToken,
  searchUsers,
  suspendUser,
  resumeUser,
  listUserDevices,
  listUserSessions,
  listAuditEntries,
  getStatistics,
  getFigures,
  createAutomationToken,
  listAutomationTokens,
  deleteAutomationToken,
  listOpenConsoleSessions,
  revokeConsoleSession,
  createSignInCode,
};

const CONSOLE: Handlers<typeof ConsoleService, RpcContext> = {
  redeemSignInCode,
  resumeConsoleSession,
  listConsoleSessions,
  endConsoleSession,
  openConsoleSession,
  resolveAutomationToken,
  findApp,
  recordContentRead,
  beginOperatorCall,
  endOperatorCall,
  recordOperatorCall,
  createAppToken,
};

const PUSH_TOKENS: Handlers<typeof PushTokenService, RpcContext> = {
  registerPushToken,
  deletePushToken,
  listPushTargets,
};
