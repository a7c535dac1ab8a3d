import { request } from 'node:http';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { IdentityRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { MEDIA_TYPE } from './support/call.ts';
import { RPC_SECRET } from './support/gateway.ts';
import { adminCall, startPlatform, type Platform } from './support/platform.ts';

// docs/protocol/requests.md#user-ids: users whose ids no new user gets, in processes that run.

const DOTS = ['.', '..'];
const ALICE = 'svc:///identities/alice';
const segment = (userId: string) => encodeURIComponent(`svc:///identities/${encodeURIComponent(userId)}`);

let platform: Platform;
let root: string;

beforeAll(async () => {
  platform = await startPlatform({ announcements: true });
  root = `/apps/${platform.app.uuid}`;
  await server('POST', '/users/alice/identity', { display_name: 'Alice' });
});
afterAll(() => platform?.stop());

async function server(method: string, path: string, body?: unknown) {
  return platform.app.server(method, path, body === undefined ? {} : { body });
}

/** A user of an earlier release, as the recovery service brings one back. */
async function restore(userId: string): Promise<void> {
  const log = createLogger({ service: 'test', level: 'silent' });
  const address = platform.identityAddress;
  const channel = createRpcChannel({ address, secret: RPC_SECRET, log, timeoutMs: 20_000 });
  const appId = platform.app.uuid;
  const copy = { appId, userId, displayName: 'Odd', version: 1, incarnation: 0 };
  await channel.client(IdentityRecoveryService).adoptIdentities({ copies: [copy] });
  channel.close();
}

/** The status of a request whose path is sent as it is; fetch would take dots out of it. */
async function rawStatus(method: string, path: string): Promise<number> {
  const { hostname, port } = new URL(platform.gateway.baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { accept: MEDIA_TYPE, authorization: await bearer(), 'content-length': '0' };
  request({ hostname, port, method, path, headers }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  })
    .on('error', reject)
    .end();
  return promise;
}

async function bearer(): Promise<string> {
  const body = { app_uuid: platform.app.uuid, name: 'raw' };
  const { json } = await adminCall(platform.gateway.baseUrl, 'CreateAccessToken', body);
  return `Bearer ${String(json['token'])}`;
}

test.each(['.', '..', '%2e', '%2E%2e', '.%2E'])(
  'a path in which %s stands for a user reaches nobody, and nobody is made by it',
  async (dots) => {
    await restore('..');
    for (const [method, path] of [
      ['GET', `/users/${dots}`],
      ['DELETE', `/users/${dots}`],
      ['GET', `/users/${dots}/conversations`],
      ['GET', `/users/alice/following/${dots}`],
    ] as const)
      expect(await rawStatus(method, root + path)).toBe(404);
    expect(await rawStatus('POST', `${root}/users/${dots}/identity`)).toBe(422);
    expect((await server('GET', `/users/${segment('..')}`)).status).toBe(200);
  },
);

test('a server gives nobody an id that looks like a URI', async () => {
  const created = await server('POST', `/users/${encodeURIComponent(ALICE)}/identity`, { display_name: 'A' });
  expect([created.status, created.json['data']]).toEqual([422, { property: 'user_id' }]);
});

test.each([...DOTS, ALICE])(
  'the user %s is read, blocked and erased by the URI, and nobody else is',
  async (userId) => {
    await restore(userId);
    const path = `/users/${segment(userId)}`;
    const identity = await server('GET', `${path}/identity`);
    expect([identity.status, identity.json['user_id']]).toEqual([200, userId]);
    const shown = await server('GET', String(identity.json['url']));
    expect(shown.json['user_id']).toBe(userId);
    const block = [{ operation: 'add', property: 'blocks', id: identity.json['id'] }];
    expect((await server('PATCH', '/users/alice/blocks', block)).status).toBe(202);
    expect(await blockedByAlice()).toEqual([userId]);
    expect((await server('DELETE', path)).status).toBe(202);
    expect((await server('GET', path)).status).toBe(404);
    expect((await server('GET', '/users/alice')).status).toBe(200);
    expect(await blockedByAlice()).toEqual([]);
  },
);

async function blockedByAlice(): Promise<unknown[]> {
  const { json } = await server('GET', '/users/alice/blocks');
  return (json as unknown as { user_id: string }[]).map(({ user_id }) => user_id);
}

test('ids that differ in case, spaces or the form of an accent are different users, and so are words of JavaScript', async () => {
  const userIds = [
    'ada',
    'Ada',
    'ada ',
    ' ada',
    'é',
    'e\u0301',
    '__proto__',
    'constructor',
    'a/b',
    'a%2Fb',
    'a?b',
    '%2e%2e',
  ];
  for (const userId of userIds) {
    const { call } = await platform.app.login(userId);
    const made = await call('POST', '/conversations', { body: { participants: ['alice'] } });
    expect(made.status).toBe(201);
    const message = { sender_id: userId, parts: [{ mime_type: 'text/plain', body: 'x' }] };
    const sent = await server('POST', new URL(String(made.json['url'])).pathname + '/messages', message);
    expect([sent.status, (sent.json['sender'] as { user_id: string }).user_id]).toEqual([201, userId]);
    const own = `svc:///identities/${encodeURIComponent(userId)}`;
    expect(Object.keys(sent.json['recipient_status'] as object).sort()).toEqual(
      ['svc:///identities/alice', own].sort(),
    );
    const user = await server('GET', `/users/${encodeURIComponent(userId)}`);
    expect((user.json['identity'] as { id: string; user_id: string }).user_id).toBe(userId);
    expect((await call('GET', `/identities/${encodeURIComponent(userId)}`)).json['display_name']).toBe(
      userId,
    );
    const list = await call('GET', '/conversations');
    expect((list.json as unknown as unknown[]).length).toBe(1);
  }
});
