const APP = { app_uuid: '{{APP_UUID}}' };
const KEY = { key_id: '{{KEY_ID}}' };
const PROVIDER = { provider_id: '{{PROVIDER_ID}}' };
const USER = { app_uuid: '{{APP_UUID}}', user_id: '{{USER_ID}}' };
const PAGE = { page_size: 50 };
/** Milliseconds: 20 November 2026. */
const SINCE = 1_795_132_800_000;
const APNS = { app_uuid: '{{APP_UUID}}', provider: 'apns' };

const ADA = { id: 'svc:///identities/ada', user_id: 'ada', display_name: 'Ada Lovelace' };
const BOB = { id: 'svc:///identities/bob', user_id: 'bob', display_name: 'Bob' };

const IMPORTED_CONVERSATION = {
  id: 'svc:///conversations/{{CONVERSATION_ID}}',
  created_at: '2026-11-20T20:15:30.123Z',
  distinct: false,
  metadata: { topic: 'engines' },
  participants: [ADA, BOB],
};

const IMPORTED_MESSAGE = {
  id: 'svc:///messages/{{MESSAGE_ID}}',
  conversation: { id: 'svc:///conversations/{{CONVERSATION_ID}}' },
  position: 1,
  sender: ADA,
  sent_at: '2026-11-20T20:15:30.123Z',
  parts: [
    { id: 'svc:///messages/{{MESSAGE_ID}}/parts/{{PART_ID}}', mime_type: 'text/plain', body: 'Hello, Bob!' },
  ],
  recipient_status: { 'svc:///identities/ada': 'read', 'svc:///identities/bob': 'sent' },
};

/** Bodies of code samples of the administration API by method; `{{NAME}}` is a variable. */
export const SAMPLES: Readonly<Record<string, object>> = {
  CreateApp: { name: 'My application', environment: 'production' },
  ListApps: {},
  GetApp: APP,
  UpdateApp: { app_uuid: '{{APP_UUID}}', allowed_origins: { origins: ['https://app.example.com'] } },
  SuspendApp: APP,
  ResumeApp: APP,
  DeleteApp: APP,
  CreateProvider: { app_uuid: '{{APP_UUID}}', name: 'login backend' },
  ListProviders: APP,
  DeleteProvider: PROVIDER,
  CreateKey: PROVIDER,
  ListKeys: PROVIDER,
  EnableKey: KEY,
  DisableKey: KEY,
  DeleteKey: KEY,
  CreateAccessToken: { app_uuid: '{{APP_UUID}}', name: 'server' },
  ListAccessTokens: APP,
  DeleteAccessToken: { access_token_id: '{{ACCESS_TOKEN_ID}}' },
  ValidateIdentityToken: { app_uuid: '{{APP_UUID}}', identity_token: '{{IDENTITY_TOKEN}}' },
  SearchUsers: { app_uuid: '{{APP_UUID}}', query: 'ad', page_size: 50 },
  SuspendUser: USER,
  ResumeUser: USER,
  ListUserSessions: USER,
  ListUserDevices: USER,
  ListAuditEntries: { app_uuid: '{{APP_UUID}}', page_size: 50 },
  GetStatistics: APP,
  GetFigures: { app_uuid: '{{APP_UUID}}', step_in_seconds: 60, length_in_seconds: 3600 },
  CreateAutomationToken: { name: 'deployment', roles: [{ role: 'operator', app_id: '{{APP_UUID}}' }] },
  ListAutomationTokens: {},
  DeleteAutomationToken: { automation_token_id: '{{AUTOMATION_TOKEN_ID}}' },
  ListOpenConsoleSessions: PAGE,
  RevokeConsoleSession: { console_session_id: '{{CONSOLE_SESSION_ID}}' },
  CreateSignInCode: {},
  ImportConversations: { app_uuid: '{{APP_UUID}}', conversations: [IMPORTED_CONVERSATION] },
  ImportMessages: { app_uuid: '{{APP_UUID}}', messages: [IMPORTED_MESSAGE] },
  SetPushCredentials: {
    ...APNS,
    private_key: '{{APNS_PRIVATE_KEY}}',
    key_id: 'ABC123DEFG',
    team_id: 'DEF123GHIJ',
    topic: 'com.example.chat',
  },
  GetPushCredentials: APP,
  DeletePushCredentials: APNS,
  SetPushSettings: { app_uuid: '{{APP_UUID}}', ids_only: true },
  GetPushSettings: APP,
  SendTestPush: { ...USER, device_id: 'phone-1', title: 'A test', text: 'It works.' },
  AfterRestore: { since: SINCE, step: '', cursor: '' },
  ListCells: {},
  AddCells: { count: 2 },
  MoveCell: { cell: 'cell_1', target: 'node-2:5432' },
};
