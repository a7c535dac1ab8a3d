import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import { call } from './support/call.ts';
import { ADMIN_TOKEN, startGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  const identityTransport = createRouterTransport(({ service }) => {
    service(AdminService, {
      createApp: ({ name }) => {
        throw new ConnectError('why', Code[name as keyof typeof Code]);
      },
    });
    service(ConsoleService, {
      resolveAutomationToken: () => {
        throw new ConnectError('why', Code.DeadlineExceeded);
      },
    });
  });
  gateway = await startGateway({ identityTransport });
});
afterAll(() => gateway.stop());

const unavailable = {
  status: 503,
  json: {
    code: 'unavailable',
    details: [{ debug: { id: 'service_unavailable', data: { retry_after_seconds: 1 } } }],
  },
};

function createApp(name: string, token: string) {
  const address = `${gateway.baseUrl}/admin/rpc/parley.identity.v1.AdminService/CreateApp`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return call('POST', address, { headers, body: { name } });
}

test.each(['Unavailable', 'DeadlineExceeded', 'ResourceExhausted', 'Aborted'])(
  'a service that answers %s is unavailable, and the answer says when to try again',
  async (name) => {
    expect(await createApp(name, ADMIN_TOKEN)).toMatchObject(unavailable);
  },
);

test('a caller whose token cannot be looked up in time is told that a service is unavailable', async () => {
  expect(await createApp('any', 'another-token')).toMatchObject(unavailable);
});
