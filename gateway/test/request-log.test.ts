import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { Caller_Kind, IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import { call } from './support/call.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { APP_ID } from './support/identity.ts';
import { close, upgrade } from './support/sockets.ts';

type Line = { msg: string; method?: string; route?: string; requestId?: string } & Record<string, unknown>;

const lines: Line[] = [];
let gateway: TestGateway;

/** A session whose user is Ada, an application that has one request a second, and a messaging service that is down. */
beforeAll(async () => {
  const log = createLogger({
    service: 'gateway',
    level: 'info',
    destination: { write: (text) => void lines.push(JSON.parse(text) as Line) },
  });
  const identityTransport = createRouterTransport(({ service }) => {
    service(IdentityService, {
      listRevocations: () => ({ cursor: 1 }),
      resolveTokens: ({ items }) => ({
        results: items.map(() => ({
          outcome: {
            case: 'caller' as const,
            value: { kind: Caller_Kind.SESSION, id: 'session', appId: APP_ID, userId: 'ada' },
          },
        })),
      }),
    });
  });
  const messagingTransport = createRouterTransport(({ service }) => {
    service(MessagingService, {
      listConversations: () => Promise.reject(new ConnectError('down', Code.Unavailable)),
    });
  });
  const env = {
    PARLEY_RATE_LIMIT_SESSION: '1',
    PARLEY_RATE_LIMIT_SESSION_BURST: '2',
    PARLEY_RATE_LIMIT_UPGRADE: '1',
    PARLEY_RATE_LIMIT_UPGRADE_BURST: '1',
  };
  gateway = await startGateway({ log, env, identityTransport, messagingTransport });
  await until(() => gateway.context.auth.learnRevocations().then(() => true), {
    ...{ withinMs: 10_000, what: 'revocations are known' },
  });
});
afterAll(() => gateway.stop());

function get(requestId: string) {
  const headers = { authorization: 'Svc session-token="any"', 'x-request-id': requestId };
  return call('GET', `${gateway.baseUrl}/conversations?page_size=1`, { headers });
}

const lineOf = (requestId: string) =>
  lines.find((line) => line.requestId === requestId && line.method !== undefined);

test('a request that failed by our fault has a line that says whose it was', async () => {
  expect((await get('first')).status).toBe(503);
  expect(lineOf('first')).toMatchObject({
    ...{ level: 'info', msg: 'request refused', method: 'GET', route: '/conversations', status: 503 },
    ...{ appId: APP_ID, userId: 'ada', error: 'service_unavailable' },
  });
});

test('a request that a limit refused has one as well', async () => {
  await until(async () => ((await get('over the limit')).status === 429 ? true : undefined), {
    ...{ withinMs: 5_000, what: 'the limit' },
  });
  const line = lines.find(({ status }) => status === 429);
  expect(line).toMatchObject({ appId: APP_ID, userId: 'ada', error: 'rate_limit_exceeded' });
});

test('refused upgrades have one', async () => {
  expect((await upgrade(gateway.baseUrl, undefined)).status).toBe(401);
  await close(await upgrade(gateway.baseUrl, 'any'));
  expect((await upgrade(gateway.baseUrl, 'any')).status).toBe(429);
  const refused = lines.filter(({ msg }) => msg === 'upgrade refused');
  expect(refused).toMatchObject([
    { status: 401, error: 'authentication_required' },
    { status: 429, error: 'rate_limit_exceeded', appId: APP_ID, userId: 'ada' },
  ]);
});
