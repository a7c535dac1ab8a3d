import { randomUUID } from 'node:crypto';
import type { World } from './world.ts';

type Requests = Readonly<Record<string, readonly object[]>>;
type Named = { app_uuid: string };

/**
 * Requests of each method of the administration API, about the application that they may destroy: together they have every
 * property of the method's requests.
 */
export function adminRequestsOf({ victim, other }: Pick<World, 'victim' | 'other'>): Requests {
  const app = { app_uuid: victim.appUuid };
  return {
    ...inService('parley.identity.v1.AdminService', {
      ...appRequests(app),
      ...keyRequests(victim),
      ...userRequests(app, other),
      ...platformRequests(app),
    }),
    ...inService('parley.push.v1.PushAdminService', pushRequests(app)),
    ...inService('parley.messaging.v1.ImportService', importRequests(app)),
    ...inService('parley.messaging.v1.CellAdminService', {
      ListCells: [{}],
      AddCells: [{ count: 2 }],
      MoveCell: [{ cell: 'p00', target: 'node-1:5432' }],
    }),
    ...inService('parley.recovery.v1.RecoveryService', { AfterRestore: recoveryRequests() }),
  };
}

function inService(service: string, requests: Requests): Requests {
  return Object.fromEntries(Object.entries(requests).map(([name, bodies]) => [`${service}/${name}`, bodies]));
}

function appRequests(app: Named): Requests {
  const settings = {
    ...{ name: 'y', session_ttl_in_seconds: 3_600, inline_body_bytes: 4_096 },
    allowed_origins: { origins: ['https://a'] },
    user_directory: 'shared',
    public_identity_fields: { names: ['email_address'] },
  };
  return {
    CreateApp: [{ name: 'x', environment: 'staging' }],
    ListApps: [{}],
    GetApp: [app],
    UpdateApp: [{ ...app, ...settings }],
    SuspendApp: [app],
    ResumeApp: [app],
    DeleteApp: [{ app_uuid: randomUUID() }],
  };
}

function keyRequests({ appUuid, providerId, keyId }: World['victim']): Requests {
  const app = { app_uuid: appUuid };
  return {
    CreateProvider: [{ ...app, name: 'p' }],
    ListProviders: [app],
    DeleteProvider: [{ provider_id: randomUUID() }],
    CreateKey: [{ provider_id: providerId, public_key: 'x' }],
    ListKeys: [{ provider_id: providerId }],
    DisableKey: [{ key_id: keyId }],
    EnableKey: [{ key_id: keyId }],
    DeleteKey: [{ key_id: randomUUID() }],
    CreateAccessToken: [
      { ...app, name: 't' },
      { ...app, name: 't', expires_at: Date.now() + 3_600_000 },
    ],
    ListAccessTokens: [app],
    DeleteAccessToken: [{ access_token_id: randomUUID() }],
    ValidateIdentityToken: [{ ...app, identity_token: 'a.b.c' }],
  };
}

function userRequests(app: Named, userId: string): Requests {
  const user = { ...app, user_id: userId };
  return {
    SearchUsers: [{ ...app, query: 'a', page_size: 10, from_id: 'a' }],
    SuspendUser: [user],
    ResumeUser: [user],
    ListUserSessions: [user],
    ListUserDevices: [user],
  };
}

function platformRequests(app: Named): Requests {
  const now = Date.now();
  const token = { name: randomUUID(), roles: [{ role: 'viewer', app_id: app.app_uuid }, { role: 'owner' }] };
  const page = { page_size: 10, from_id: randomUUID() };
  return {
    ListAuditEntries: [
      { ...app, page_size: 10 },
      { ...page, object_id: randomUUID() },
    ],
    GetStatistics: [app, {}],
    GetFigures: [
      { ...app, from: now - 3_600_000, to: now, step_in_seconds: 300 },
      { to: now, length_in_seconds: 600 },
      {},
    ],
    CreateAutomationToken: [token, { ...token, expires_at: now + 3_600_000 }],
    ListAutomationTokens: [{}],
    DeleteAutomationToken: [{ automation_token_id: randomUUID() }],
    ListOpenConsoleSessions: [page],
    RevokeConsoleSession: [{ console_session_id: randomUUID() }],
    CreateSignInCode: [{}],
  };
}

function pushRequests(app: Named): Requests {
  const key = { private_key: 'x', key_id: 'ABCDE12345', team_id: 'ABCDE12345', topic: 'com.example' };
  const settings = { ids_only: true, collapse_by_conversation: true, skip_connected_users: true };
  return {
    SetPushCredentials: [
      { ...app, provider: 'fcm', service_account: '{"project_id": "abc"}' },
      { ...app, provider: 'apns', ...key },
    ],
    GetPushCredentials: [app],
    DeletePushCredentials: [{ ...app, provider: 'fcm' }],
    SetPushSettings: [{ ...app, ...settings }],
    GetPushSettings: [app],
    SendTestPush: [{ ...app, user_id: 'a', device_id: 'phone', title: 'x', text: 'y' }],
  };
}

function importRequests(app: Named): Requests {
  const id = `svc:///conversations/${randomUUID()}`;
  const now = '2026-01-01T00:00:00.000Z';
  const sender = { id: 'svc:///identities/a', display_name: 'A' };
  const message = {
    ...{ id: `svc:///messages/${randomUUID()}`, conversation: { id }, position: 1, sender, sent_at: now },
    parts: [{ mime_type: 'text/plain', body: 'hello' }],
    recipient_status: { 'svc:///identities/a': 'read' },
  };
  const conversation = { id, created_at: now, participants: [sender], distinct: false, metadata: { a: 'b' } };
  return {
    ImportConversations: [{ ...app, conversations: [conversation] }],
    ImportMessages: [{ ...app, messages: [message] }],
  };
}

/** The steps in their order; each but the first and the one about sequences goes on after a cursor too. */
function recoveryRequests(): object[] {
  const since = Date.now() - 3_600_000;
  const [app, id] = [randomUUID(), randomUUID()];
  const cursors = {
    journal: `journal/2026-01-01/${id}.jsonl`,
    identities: JSON.stringify([app, 'a']),
    blocks: JSON.stringify([app, 'a', 'b']),
    memberships: JSON.stringify([app, id]),
    contents: JSON.stringify([app, id, '7']),
    'released contents': JSON.stringify([app, id]),
  };
  const steps = ['events', 'versions', ...Object.keys(cursors)].map((step) => ({ since, step }));
  return [...steps, ...Object.entries(cursors).map(([step, cursor]) => ({ since, step, cursor }))];
}
