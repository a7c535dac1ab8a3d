import { createHash } from 'node:crypto';
import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { problem } from '@parley/domain/problems';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import { Caller_Kind, IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { call } from './support/call.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { APP_ID } from './support/identity.ts';
import { adminCall } from './support/platform.ts';

// docs/console.md#the-audit-log

const APP_TOKEN = 'a-token-of-a-person';
const AUTOMATION = 'an-automation-token';

let gateway: TestGateway;
let beginning: Code | undefined;
let ending: Code | undefined;
let done: string[];

/** Identity, whose audit log fails as a test says. */
function identity() {
  return createRouterTransport(({ service }) => {
    service(ConsoleService, {
      beginOperatorCall: () => answerOr(beginning, { id: '01990000-0000-7000-8000-000000000009' }),
      endOperatorCall: () => answerOr(ending, {}),
      recordOperatorCall: () => answerOr(beginning, {}),
      resolveAutomationToken: ({ token }) => {
        if (token !== AUTOMATION) throw new ConnectError('unknown', Code.Unimplemented);
        return { name: 'nightly', roles: [{ role: 'owner' }] };
      },
    });
    service(AdminService, {
      createApp: () => (done.push('CreateApp'), {}),
      listApps: () => (done.push('ListApps'), {}),
    });
    service(IdentityService, {
      listRevocations: () => ({ cursor: 1 }),
      updateAppSettings: () => (done.push('UpdateAppSettings'), {}),
      resolveTokens: ({ items }) => ({
        results: items.map(({ tokenHash }) =>
          Buffer.from(tokenHash).equals(createHash('sha256').update(APP_TOKEN).digest())
            ? { outcome: { case: 'caller' as const, value: PERSON } }
            : { outcome: { case: 'problem' as const, value: problem('authentication_required') } },
        ),
      }),
    });
  });
}

const PERSON = {
  kind: Caller_Kind.ACCESS_TOKEN,
  id: 't1',
  appId: APP_ID,
  actorIssuer: 'https://id.example.com',
  actorSubject: 'ada',
  actorRole: 'owner',
};

function answerOr<T>(code: Code | undefined, answer: T): T {
  if (code !== undefined) throw new ConnectError('the audit log fails', code);
  return answer;
}

beforeAll(async () => {
  gateway = await startGateway({ identityTransport: identity() });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  [beginning, ending, done] = [undefined, undefined, []];
});

const updateApp = () =>
  call('PATCH', `${gateway.baseUrl}/apps/${APP_ID}`, {
    headers: { authorization: `Bearer ${APP_TOKEN}`, 'content-type': 'application/json' },
    body: [{ operation: 'set', property: 'session_ttl_in_seconds', value: 3_600 }],
  });

describe.each([Code.Unavailable, Code.Internal, Code.DeadlineExceeded])(
  'while the audit log fails with code %i, a change is not made',
  (code) => {
    test('by the administration token or an automation token', async () => {
      beginning = code;
      for (const token of [undefined, AUTOMATION])
        expect((await adminCall(gateway.baseUrl, 'CreateApp', {}, token)).status).toBe(503);
      expect(done).toEqual([]);
    });

    test('by a person’s token for an application', async () => {
      beginning = code;
      const { status, json } = await updateApp();
      expect([status, json['id'], done]).toEqual([503, 'service_unavailable', []]);
    });

    test('and what only reads goes on', async () => {
      beginning = code;
      expect((await adminCall(gateway.baseUrl, 'ListApps', {})).status).toBe(200);
    });
  },
);

describe('beside an identity service of the release before, which has no such log', () => {
  test('the administration token goes on', async () => {
    beginning = Code.Unimplemented;
    expect((await adminCall(gateway.baseUrl, 'CreateApp', {})).status).toBe(200);
    expect(done).toEqual(['CreateApp']);
  });

  test('automation tokens and people wait', async () => {
    beginning = Code.Unimplemented;
    expect((await adminCall(gateway.baseUrl, 'CreateApp', {}, AUTOMATION)).status).toBe(503);
    expect((await updateApp()).status).toBe(503);
    expect(done).toEqual([]);
  });
});

test('a change whose end cannot be noted is answered as it was', async () => {
  ending = Code.Unavailable;
  expect((await updateApp()).status).toBe(202);
  expect((await adminCall(gateway.baseUrl, 'CreateApp', {})).status).toBe(200);
  expect(done).toEqual(['UpdateAppSettings', 'CreateApp']);
});
