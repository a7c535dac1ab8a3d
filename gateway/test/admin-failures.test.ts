import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
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
  });
  gateway = await startGateway({ identityTransport });
});
afterAll(() => gateway.stop());

test.each(['Unavailable', 'DeadlineExceeded', 'ResourceExhausted', 'Aborted'])(
  'a service that answers %s is unavailable, and the answer says when to try again',
  async (name) => {
    const address = `${gateway.baseUrl}/admin/rpc/parley.identity.v1.AdminService/CreateApp`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
    const { status, json } = await call('POST', address, { headers, body: { name } });
    expect([status, json]).toMatchObject([
      503,
      {
        code: 'unavailable',
        details: [{ debug: { id: 'service_unavailable', data: { retry_after_seconds: 1 } } }],
      },
    ]);
  },
);
