import { randomUUID } from 'node:crypto';
import type { DescMethod } from '@bufbuild/protobuf';
import { until } from '@parley/testing';
import { SERVICES } from '@parley/administration/describe';
import { permissionOf } from '@parley/console-server/admin/permissions';
import { ask } from './support/ask.ts';
import { MEDIA_TYPE } from './support/call.ts';
import { signInAs, type Person } from './support/console.ts';
import { adminCall, startPlatform, type Platform } from './support/platform.ts';

// docs/console.md#roles

const IDENTITY = 'parley.identity.v1.AdminService';
const SUSPEND = JSON.stringify([{ operation: 'set', property: 'suspended', value: true }]);
const METHODS = SERVICES.flatMap((service) =>
  service.methods.map((method): [string, DescMethod] => [method.name, method]),
);

let platform: Platform;
let foreign: { app_uuid: string; provider_id: string; key_id: string; access_token_id: string };

beforeAll(async () => {
  platform = await startPlatform();
  foreign = await createForeignApp();
});
afterAll(() => platform.stop());

async function admin(method: string, body: unknown): Promise<Record<string, never>> {
  const { status, json } = await adminCall(platform.gateway.baseUrl, method, body);
  if (status !== 200) throw new Error(`${method}: ${status}`);
  return json as Record<string, never>;
}

async function createForeignApp() {
  const { app } = await admin('CreateApp', { name: 'foreign', environment: 'staging' });
  const app_uuid = String(app?.['app_uuid']);
  const { provider } = await admin('CreateProvider', { app_uuid, name: 'backend' });
  const provider_id = String(provider?.['id']);
  const { key } = await admin('CreateKey', { provider_id });
  const { access_token } = await admin('CreateAccessToken', { app_uuid, name: 'server' });
  return {
    app_uuid,
    provider_id,
    key_id: String(key?.['id']),
    access_token_id: String(access_token?.['id']),
  };
}

/** A request that is about the foreign application, or an object of it, by each id that the method takes. */
function requestOf({ input }: DescMethod): Record<string, string> {
  const ids: Record<string, string> = foreign;
  return Object.fromEntries(
    input.fields.flatMap(({ name }) => (ids[name] === undefined ? [] : [[name, ids[name]]])),
  );
}

function callOf(person: Person, method: DescMethod, request: object) {
  return person.admin(method.parent.typeName, method.name, request);
}

/** Methods that a viewer of the application may call, and those that take no application. */
function isRead(method: DescMethod): boolean {
  return permissionOf(method.parent.typeName, method.name)?.role === 'viewer';
}

describe('every method of the administration API', () => {
  let viewer: Person;
  let stranger: Person;
  beforeAll(async () => {
    viewer = await signInAs(platform, [{ role: 'viewer' }]);
    stranger = await signInAs(platform, [{ role: 'owner', appId: platform.app.uuid }]);
  });

  test.each(METHODS)('%s has a declared role', (_, method) => {
    expect(permissionOf(method.parent.typeName, method.name)).toBeDefined();
  });

  test.each(METHODS)('%s changes nothing for a viewer', async (_, method) => {
    const { status } = await callOf(viewer, method, requestOf(method));
    if (isRead(method)) expect(status).not.toBe(403);
    else expect(status).toBe(403);
  });

  test.each(METHODS)('%s knows nothing of a foreign application', async (_, method) => {
    const { status, text } = await callOf(stranger, method, requestOf(method));
    const scope = permissionOf(method.parent.typeName, method.name)?.scope;
    if (scope === 'answer')
      expect([status, text]).toEqual([200, expect.not.stringContaining(foreign.app_uuid)]);
    else expect(status).toBe(scope === 'platform' ? 403 : 404);
  });

  test('none has changed the foreign application', async () => {
    const { app_uuid, provider_id, key_id } = foreign;
    const { app } = await admin('GetApp', { app_uuid });
    expect(app).toMatchObject({ name: 'foreign', suspended: false });
    const { keys } = await admin('ListKeys', { provider_id });
    expect(keys).toMatchObject([{ id: key_id, disabled: false }]);
    expect((await admin('ListAccessTokens', { app_uuid }))['access_tokens']).toHaveLength(1);
  });

  test('a method that is not declared is refused', () => {
    expect(permissionOf(IDENTITY, 'DropEverything')).toBeUndefined();
    expect(permissionOf(IDENTITY, '__proto__')).toBeUndefined();
  });
});

describe('a role in one application', () => {
  test('is for that application, in each form of its id', async () => {
    const { uuid } = platform.app;
    const operator = await signInAs(platform, [{ role: 'operator', appId: uuid }]);
    const { json } = await operator.admin(IDENTITY, 'ListApps', {});
    expect(json['apps']).toMatchObject([{ app_uuid: uuid }]);
    for (const app_uuid of [uuid, uuid.toUpperCase(), `svc:///apps/staging/${uuid}`])
      expect((await operator.admin(IDENTITY, 'GetApp', { app_uuid })).status).toBe(200);
    for (const app_uuid of [
      '',
      'x',
      '__proto__',
      `svc:///apps/${uuid}`,
      `${uuid}/${foreign.app_uuid}`,
      randomUUID(),
    ])
      expect((await operator.admin(IDENTITY, 'GetApp', { app_uuid })).status).toBe(404);
    expect((await operator.admin(IDENTITY, 'UpdateApp', { app_uuid: uuid, name: 'test' })).status).toBe(200);
    expect((await operator.admin(IDENTITY, 'DeleteApp', { app_uuid: uuid })).status).toBe(403);
    expect((await operator.admin(IDENTITY, 'ListAuditEntries', {})).status).toBe(403);
    expect((await operator.admin(IDENTITY, 'GetStatistics', { app_uuid: uuid })).status).toBe(200);
  });

  test('the audit log names the person by issuer and subject', async () => {
    const { uuid: app_uuid } = platform.app;
    const owner = await signInAs(platform, [{ role: 'owner', appId: app_uuid }], 'ädä ✓ "\\');
    await owner.admin(IDENTITY, 'UpdateApp', { app_uuid, name: 'renamed' });
    const { entries } = await admin('ListAuditEntries', { app_uuid, page_size: 1 });
    const person = { actor_issuer: 'https://id.example.com', actor_subject: 'ädä ✓ "\\' };
    expect(entries).toMatchObject([{ action: 'app.updated', actor: 'admin', ...person }]);
    await admin('UpdateApp', { app_uuid, name: 'by token' });
    const { entries: later } = await admin('ListAuditEntries', { app_uuid, page_size: 1 });
    expect(later?.[0]).not.toHaveProperty('actor_subject');
  });
});

test('an owner of all applications ends the session of another person, at once', async () => {
  const { uuid: appId } = platform.app;
  const [owner, left] = [
    await signInAs(platform, [{ role: 'owner' }], 'owner'),
    await signInAs(platform, [{ role: 'owner', appId }], 'left'),
  ];
  expect((await left.admin(IDENTITY, 'ListOpenConsoleSessions', {})).status).toBe(403);
  const { json } = await owner.admin(IDENTITY, 'ListOpenConsoleSessions', {});
  const listed = json['sessions'] as { id: string; person: { subject: string } }[];
  const session = listed.find(({ person }) => person.subject === 'left');
  const body = { console_session_id: session?.id };
  expect((await left.admin(IDENTITY, 'RevokeConsoleSession', body)).status).toBe(403);
  expect((await owner.admin(IDENTITY, 'RevokeConsoleSession', body)).status).toBe(200);
  expect((await left.admin(IDENTITY, 'ListApps', {})).status).toBe(401);
  const { entries } = await admin('ListAuditEntries', { page_size: 1 });
  const ended = `${session?.id} of left at https://id.example.com`;
  expect(entries).toMatchObject([
    { action: 'console_session.revoked', actor_subject: 'owner', subject: ended },
  ]);
  expect((await owner.admin(IDENTITY, 'RevokeConsoleSession', body)).status).toBe(404);
});

describe('an automation token', () => {
  const at = (token: unknown, method: string, body: object) =>
    adminCall(platform.gateway.baseUrl, method, body, String(token));

  test('has a name and roles, is listed without itself, and revoked at once', async () => {
    const { uuid: app_uuid } = platform.app;
    const roles = [{ role: 'operator', app_id: app_uuid }];
    const { token, automation_token } = await admin('CreateAutomationToken', { name: 'nightly', roles });
    expect((await at(token, 'UpdateApp', { app_uuid, name: 'by automation' })).status).toBe(200);
    expect((await at(token, 'DeleteApp', { app_uuid })).status).toBe(403);
    expect((await at(token, 'GetApp', { app_uuid: foreign.app_uuid })).status).toBe(404);
    expect((await at(token, 'CreateAutomationToken', { name: 'more', roles })).status).toBe(403);
    const { entries } = await admin('ListAuditEntries', { app_uuid, page_size: 1 });
    expect(entries).toMatchObject([{ actor_issuer: 'automation', actor_subject: 'nightly' }]);
    const { automation_tokens } = await admin('ListAutomationTokens', {});
    expect(automation_tokens).toMatchObject([{ name: 'nightly', roles }]);
    expect(JSON.stringify(automation_tokens)).not.toContain(token);
    await admin('DeleteAutomationToken', { automation_token_id: automation_token?.['id'] });
    expect((await at(token, 'GetApp', { app_uuid })).status).toBe(401);
    const again = await adminCall(platform.gateway.baseUrl, 'DeleteAutomationToken', {
      automation_token_id: automation_token?.['id'],
    });
    expect(again.status).toBe(404);
  });

  test('expires', async () => {
    const expires_at = Date.now() + 1_500;
    const { token } = await admin('CreateAutomationToken', {
      name: 'brief',
      roles: [{ role: 'viewer' }],
      expires_at,
    });
    await untilRefused(() => at(token, 'ListApps', {}));
    expect(Date.now()).toBeGreaterThanOrEqual(expires_at);
  });

  test.each([
    [{ name: 'x', roles: [] }, 400],
    [{ name: 'x', roles: [{ role: 'boss' }] }, 400],
    [{ name: 'x', roles: [{ role: '__proto__' }] }, 400],
    [{ name: 'x', roles: [{ role: 'viewer', app_id: 'x' }] }, 400],
    [{ name: '', roles: [{ role: 'viewer' }] }, 400],
    [{ name: 'taken', roles: [{ role: 'viewer' }] }, 409],
  ])('%j is refused', async (body, expected) => {
    if (expected === 409) await admin('CreateAutomationToken', body);
    const { status } = await adminCall(platform.gateway.baseUrl, 'CreateAutomationToken', body);
    expect(status).toBe(expected);
  });
});

describe('a token for one application', () => {
  const asked = async (person: Person, access: string, app_id = platform.app.uuid) =>
    person.post('/console/app-token', { app_id, access });
  const server = (method: string, path: string, token: unknown, headers: Record<string, string> = {}) =>
    ask(method, `${platform.gateway.baseUrl}/apps/${platform.app.uuid}${path}`, {
      headers: {
        authorization: `Bearer ${String(token)}`,
        accept: MEDIA_TYPE,
        'content-type': 'application/json',
        ...headers,
      },
      ...(method !== 'GET' && { body: SUSPEND }),
    });

  test('reads for a viewer, and changes nothing', async () => {
    const viewer = await signInAs(platform, [{ role: 'viewer', appId: platform.app.uuid }]);
    const { status, json } = await asked(viewer, 'read');
    expect(status).toBe(200);
    const ends = Date.parse(String(json['expires_at'])) - Date.now();
    expect(ends).toBeLessThanOrEqual(300_000);
    await platform.app.login('read-only');
    expect((await server('GET', '/users/read-only', json['token'])).status).toBe(200);
    const write = await server('PATCH', '/users/read-only', json['token']);
    expect([write.status, write.json['id']]).toEqual([403, 'access_denied']);
    expect((await asked(viewer, 'write')).status).toBe(403);
  });

  test('is refused for a foreign application, and for pages of another origin', async () => {
    const operator = await signInAs(platform, [{ role: 'operator', appId: platform.app.uuid }]);
    expect((await asked(operator, 'read', foreign.app_uuid)).status).toBe(404);
    const { json } = await asked(operator, 'write');
    expect((await server('GET', '/users/ada', json['token'], { origin: 'http://evil.example' })).status).toBe(
      403,
    );
    const { access_tokens } = await admin('ListAccessTokens', { app_uuid: platform.app.uuid });
    expect(access_tokens).toHaveLength(1);
  });

  test('shows messages to an operator, with an entry in the audit log, and none to a viewer', async () => {
    await platform.app.login('bob');
    const ada = await platform.app.login('ada');
    const made = await ada.call('POST', '/conversations', { body: { participants: ['bob'] } });
    expect(made.status).toBe(201);
    const path = `/conversations/${String(made.json['id']).split('/').at(-1)}`;
    const viewer = await signInAs(platform, [{ role: 'viewer' }]);
    const { json: blind } = await asked(viewer, 'read');
    for (const at of ['/conversations', path, `${path}/messages`, `/users/ada${path}`]) {
      const { status, json } = await server('GET', at, blind['token']);
      expect([status, json['id']]).toEqual([403, 'access_denied']);
    }
    const operator = await signInAs(platform, [{ role: 'operator' }], 'reader');
    const { json: seeing } = await asked(operator, 'read');
    for (let time = 0; time < 2; time++)
      expect((await server('GET', `${path}/messages`, seeing['token'])).status).toBe(200);
    const { entries } = await admin('ListAuditEntries', { app_uuid: platform.app.uuid });
    const reads = (entries as unknown as Record<string, unknown>[]).filter(
      ({ action }) => action === 'message_content.read',
    );
    expect(reads).toMatchObject([{ actor_subject: 'reader', subject: `${path}/messages` }]);
  });

  test('names the person in the audit log, and ends with the session', async () => {
    const operator = await signInAs(platform, [{ role: 'operator', appId: platform.app.uuid }], 'op');
    const { json } = await asked(operator, 'write');
    await platform.app.login('suspended');
    expect((await server('PATCH', '/users/suspended', json['token'])).status).toBe(202);
    const { entries } = await admin('ListAuditEntries', { app_uuid: platform.app.uuid, page_size: 2 });
    expect(entries).toMatchObject([
      { action: 'user.suspended', actor: 'server', actor_subject: 'op' },
      { action: 'access_token.issued_to_write', actor: 'admin', actor_subject: 'op' },
    ]);
    expect((await operator.post('/console/sign-out', {})).status).toBe(204);
    await untilRefused(() => server('GET', '/users/suspended', json['token']));
  });
});

async function untilRefused(look: () => Promise<{ status: number }>): Promise<void> {
  const status = await until(async () => ((await look()).status === 401 ? 401 : undefined), {
    withinMs: 20_000,
    what: 'the token is refused',
  });
  expect(status).toBe(401);
}
