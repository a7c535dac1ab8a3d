import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createApp, type TestApp, type TestUser } from '../../support/app.ts';
import { call, type Answer } from '../../support/http.ts';
import { platform } from '../../support/platform.ts';
import { openSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

// docs/protocol/administration.md#settings-of-an-application. Preflights follow the gateway's own setting.

const ALLOWED = 'https://app.example';
const OTHER = 'https://evil.example';
let app: TestApp;
let ada: TestUser;

function allow(...origins: string[]) {
  return app.admin('UpdateApp', { app_uuid: app.appUuid, allowed_origins: { origins } });
}

function list(origin: string | undefined, expected: number) {
  return ada.call('GET', '/conversations', expected, { headers: { origin } });
}

beforeEach(async () => {
  app = await createApp(await platform());
  ada = await app.login('ada');
  await list(OTHER, 200);
  await allow(ALLOWED, 'http://localhost:3000');
  await until('the origins are in force', () => list(OTHER, 403).catch(() => undefined));
});

function expectRefusal({ body, headers }: Answer): void {
  expect(body).toMatchObject({ id: 'access_denied', code: 101, data: { header: 'Origin' } });
  expect(headers['access-control-allow-origin']).toBe(OTHER);
}

test('the requests of a session may come from pages of the allowed origins, or without an origin', async () => {
  await list(ALLOWED, 200);
  await list('http://localhost:3000', 200);
  await list(undefined, 200);
  expectRefusal(await list(OTHER, 403));
  expectRefusal(
    await ada.call('POST', '/conversations', 403, { body: { participants: [] }, headers: { origin: OTHER } }),
  );
});

test('the requests of a server may too, also those that act for a user', async () => {
  for (const path of ['/conversations', '/users/ada/conversations']) {
    await app.server('GET', path, 200, { headers: { origin: ALLOWED } });
    await app.server('GET', path, 200);
    expectRefusal(await app.server('GET', path, 403, { headers: { origin: OTHER } }));
  }
});

test('a login from another origin is refused, also when it is repeated with its Idempotency-Key', async () => {
  const identity_token = await app.identityToken('bob');
  const logIn = (origin: string | undefined, expected: number) =>
    call('POST', `${app.baseUrl}/sessions`, expected, {
      headers: { origin, 'idempotency-key': 'the login of bob' },
      body: { identity_token, app_id: app.appId },
    });
  expectRefusal(await logIn(OTHER, 403));
  const { body } = await logIn(ALLOWED, 201);
  expectRefusal(await logIn(OTHER, 403));
  expect((await logIn(undefined, 201)).body).toEqual(body);
});

test('an upgrade is refused before its handshake', async () => {
  const upgrade = async (headers: Record<string, string>): Promise<number | undefined> => {
    const url = `${app.baseUrl.replace('http', 'ws')}/websocket?session_token=${ada.token}`;
    const socket = openSocket(url, ['svc-3.0'], headers);
    const opened = once(socket, 'open').then(() => 101);
    opened.catch(() => undefined);
    const refused = once(socket, 'unexpected-response').then(
      ([, response]) => (response as IncomingMessage).statusCode,
    );
    refused.catch(() => undefined);
    const status = await Promise.race([opened, refused]);
    socket.on('error', () => undefined).terminate();
    return status;
  };
  expect(await upgrade({ origin: ALLOWED })).toBe(101);
  expect(await upgrade({})).toBe(101);
  expect(await upgrade({ origin: OTHER })).toBe(403);
});

test('a preflight is answered regardless, since it names no application', async () => {
  const headers = { origin: OTHER, 'access-control-request-method': 'GET' };
  const answer = await call('OPTIONS', `${app.baseUrl}/conversations`, 204, { headers });
  expect(answer.headers['access-control-allow-origin']).toBe(OTHER);
});

test('the list of one application is not that of another, and an empty one allows all', async () => {
  const another = await (await createApp(await platform())).login('ada');
  await another.call('GET', '/conversations', 200, { headers: { origin: OTHER } });
  await allow();
  await until('every origin is allowed again', () => list(OTHER, 200).catch(() => undefined));
});
