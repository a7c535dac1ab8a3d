import type { Leaves, Recorded, Role } from '../operators/rule.ts';

/**
 * Where a request names the application that it is about. `platform`: none, so the role must be one of all applications. `app`: in
 * `app_uuid`. `app-or-all`: there too, or it is about all. `provider`, `key`, `access_token`: it names that object, whose application is
 * looked up first. `answer`: the answer is cut to the applications of the caller.
 */
export type Scope = 'platform' | 'app' | 'app-or-all' | 'provider' | 'key' | 'access_token' | 'answer';

/** `leaves`: in the answer, or later by what the call sets up. docs/console.md#what-leaves-the-platform */
export type Permission = { role: Role; scope: Scope; leaves: Leaves; recorded: Recorded };

const IDENTITY = 'parley.identity.v1.AdminService';
const PUSH = 'parley.push.v1.PushAdminService';
const RECOVERY = 'parley.recovery.v1.RecoveryService';
const IMPORT = 'parley.messaging.v1.ImportService';

type Row = readonly [
  service: string,
  method: string,
  role: Role,
  scope: Scope,
  leaves: Leaves,
  recorded: Recorded,
];

/** The role that each method of the administration API needs, and the class of data in its answer. A method without a row is refused. docs/console.md#roles */
const ROWS: readonly Row[] = [
  [IDENTITY, 'CreateApp', 'owner', 'platform', 'none', 'call'],
  [IDENTITY, 'ListApps', 'viewer', 'answer', 'none', 'none'],
  [IDENTITY, 'GetApp', 'viewer', 'app', 'none', 'none'],
  [IDENTITY, 'UpdateApp', 'operator', 'app', 'none', 'call'],
  [IDENTITY, 'SuspendApp', 'owner', 'app', 'none', 'call'],
  [IDENTITY, 'ResumeApp', 'owner', 'app', 'none', 'call'],
  [IDENTITY, 'DeleteApp', 'owner', 'app', 'none', 'call'],
  [IDENTITY, 'CreateProvider', 'owner', 'app', 'credentials', 'call'],
  [IDENTITY, 'ListProviders', 'viewer', 'app', 'none', 'none'],
  [IDENTITY, 'DeleteProvider', 'owner', 'provider', 'none', 'call'],
  [IDENTITY, 'CreateKey', 'owner', 'provider', 'credentials', 'call'],
  [IDENTITY, 'ListKeys', 'viewer', 'provider', 'none', 'none'],
  [IDENTITY, 'EnableKey', 'owner', 'key', 'credentials', 'call'],
  [IDENTITY, 'DisableKey', 'owner', 'key', 'none', 'call'],
  [IDENTITY, 'DeleteKey', 'owner', 'key', 'none', 'call'],
  [IDENTITY, 'CreateAccessToken', 'owner', 'app', 'credentials', 'call'],
  [IDENTITY, 'ListAccessTokens', 'viewer', 'app', 'none', 'none'],
  [IDENTITY, 'DeleteAccessToken', 'owner', 'access_token', 'none', 'call'],
  [IDENTITY, 'ValidateIdentityToken', 'viewer', 'app', 'none', 'none'],
  [IDENTITY, 'SearchUsers', 'viewer', 'app', 'users', 'none'],
  [IDENTITY, 'SuspendUser', 'operator', 'app', 'none', 'call'],
  [IDENTITY, 'ResumeUser', 'operator', 'app', 'none', 'call'],
  [IDENTITY, 'ListUserSessions', 'viewer', 'app', 'users', 'none'],
  [IDENTITY, 'ListUserDevices', 'viewer', 'app', 'users', 'none'],
  [IDENTITY, 'ListAuditEntries', 'viewer', 'app-or-all', 'users', 'none'],
  [IDENTITY, 'GetStatistics', 'viewer', 'app-or-all', 'none', 'none'],
  [IDENTITY, 'GetFigures', 'viewer', 'app-or-all', 'none', 'none'],
  [IDENTITY, 'CreateAutomationToken', 'owner', 'platform', 'credentials', 'call'],
  [IDENTITY, 'ListAutomationTokens', 'owner', 'platform', 'none', 'none'],
  [IDENTITY, 'DeleteAutomationToken', 'owner', 'platform', 'none', 'call'],
  [IDENTITY, 'ListOpenConsoleSessions', 'owner', 'platform', 'none', 'none'],
  [IDENTITY, 'RevokeConsoleSession', 'owner', 'platform', 'none', 'call'],
  [IDENTITY, 'CreateSignInCode', 'owner', 'platform', 'credentials', 'call'],
  [PUSH, 'SetPushCredentials', 'owner', 'app', 'messages', 'call'],
  [PUSH, 'GetPushCredentials', 'viewer', 'app', 'none', 'none'],
  [PUSH, 'DeletePushCredentials', 'owner', 'app', 'messages', 'call'],
  [PUSH, 'SetPushSettings', 'owner', 'app', 'messages', 'call'],
  [PUSH, 'GetPushSettings', 'viewer', 'app', 'none', 'none'],
  [PUSH, 'SendTestPush', 'operator', 'app', 'none', 'call'],
  [RECOVERY, 'AfterRestore', 'owner', 'platform', 'none', 'call'],
  [IMPORT, 'ImportConversations', 'owner', 'app', 'none', 'call'],
  [IMPORT, 'ImportMessages', 'owner', 'app', 'none', 'call'],
];

const PERMISSIONS: ReadonlyMap<string, Permission> = new Map(
  ROWS.map(([service, method, role, scope, leaves, recorded]) => [
    `${service}/${method}`,
    { role, scope, leaves, recorded },
  ]),
);

/** Undefined: the method is not declared, so that it is refused. */
export function permissionOf(service: string, method: string): Permission | undefined {
  return PERMISSIONS.get(`${service}/${method}`);
}
