export type Role = 'viewer' | 'operator' | 'owner';

/**
 * Where a request names the application that it is about. `platform`: none, so the role must be one of all applications. `app`: in
 * `app_uuid`. `app-or-all`: there too, or it is about all. `provider`, `key`, `access_token`: it names that object, whose application is
 * looked up first. `answer`: the answer is cut to the applications of the caller.
 */
export type Scope = 'platform' | 'app' | 'app-or-all' | 'provider' | 'key' | 'access_token' | 'answer';

export type Permission = { role: Role; scope: Scope };

const IDENTITY = 'parley.identity.v1.AdminService';
const PUSH = 'parley.push.v1.PushAdminService';
const RECOVERY = 'parley.recovery.v1.RecoveryService';
const IMPORT = 'parley.messaging.v1.ImportService';

/** What each method of the administration API takes. A method without a row is refused. docs/console.md#roles */
const ROWS: readonly (readonly [service: string, method: string, role: Role, scope: Scope])[] = [
  [IDENTITY, 'CreateApp', 'owner', 'platform'],
  [IDENTITY, 'ListApps', 'viewer', 'answer'],
  [IDENTITY, 'GetApp', 'viewer', 'app'],
  [IDENTITY, 'UpdateApp', 'operator', 'app'],
  [IDENTITY, 'SuspendApp', 'owner', 'app'],
  [IDENTITY, 'ResumeApp', 'owner', 'app'],
  [IDENTITY, 'DeleteApp', 'owner', 'app'],
  [IDENTITY, 'CreateProvider', 'owner', 'app'],
  [IDENTITY, 'ListProviders', 'viewer', 'app'],
  [IDENTITY, 'DeleteProvider', 'owner', 'provider'],
  [IDENTITY, 'CreateKey', 'owner', 'provider'],
  [IDENTITY, 'ListKeys', 'viewer', 'provider'],
  [IDENTITY, 'EnableKey', 'owner', 'key'],
  [IDENTITY, 'DisableKey', 'owner', 'key'],
  [IDENTITY, 'DeleteKey', 'owner', 'key'],
  [IDENTITY, 'CreateAccessToken', 'owner', 'app'],
  [IDENTITY, 'ListAccessTokens', 'viewer', 'app'],
  [IDENTITY, 'DeleteAccessToken', 'owner', 'access_token'],
  [IDENTITY, 'ValidateIdentityToken', 'viewer', 'app'],
  [IDENTITY, 'SearchUsers', 'viewer', 'app'],
  [IDENTITY, 'SuspendUser', 'operator', 'app'],
  [IDENTITY, 'ResumeUser', 'operator', 'app'],
  [IDENTITY, 'ListUserSessions', 'viewer', 'app'],
  [IDENTITY, 'ListUserDevices', 'viewer', 'app'],
  [IDENTITY, 'ListAuditEntries', 'viewer', 'app-or-all'],
  [IDENTITY, 'GetStatistics', 'viewer', 'app-or-all'],
  [IDENTITY, 'GetFigures', 'viewer', 'app-or-all'],
  [IDENTITY, 'CreateAutomationToken', 'owner', 'platform'],
  [IDENTITY, 'ListAutomationTokens', 'owner', 'platform'],
  [IDENTITY, 'DeleteAutomationToken', 'owner', 'platform'],
  [IDENTITY, 'ListOpenConsoleSessions', 'owner', 'platform'],
  [IDENTITY, 'RevokeConsoleSession', 'owner', 'platform'],
  [IDENTITY, 'CreateSignInCode', 'owner', 'platform'],
  [PUSH, 'SetPushCredentials', 'owner', 'app'],
  [PUSH, 'GetPushCredentials', 'viewer', 'app'],
  [PUSH, 'DeletePushCredentials', 'owner', 'app'],
  [PUSH, 'SetPushSettings', 'operator', 'app'],
  [PUSH, 'GetPushSettings', 'viewer', 'app'],
  [PUSH, 'SendTestPush', 'operator', 'app'],
  [RECOVERY, 'AfterRestore', 'owner', 'platform'],
  [IMPORT, 'ImportConversations', 'owner', 'app'],
  [IMPORT, 'ImportMessages', 'owner', 'app'],
];

const PERMISSIONS: ReadonlyMap<string, Permission> = new Map(
  ROWS.map(([service, method, role, scope]) => [`${service}/${method}`, { role, scope }]),
);

/** Undefined: the method is not declared, so that it is refused. */
export function permissionOf(service: string, method: string): Permission | undefined {
  return PERMISSIONS.get(`${service}/${method}`);
}
