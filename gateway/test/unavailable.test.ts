import { call } from './support/call.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({});
});
afterAll(() => gateway.stop());

test.each([
  ['POST', '/nonces', undefined],
  ['GET', '/conversations', 'Svc session-token="any"'],
])(
  '%s %s says when to try again while the service behind it is down',
  async (method, path, authorization) => {
    const { status, json, headers } = await call(method, gateway.baseUrl + path, {
      headers: { authorization },
    });
    expect([status, json['id'], headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
  },
);

test('routes that need no service are served all the same', async () => {
  expect((await call('GET', `${gateway.baseUrl}/ping`)).status).toBe(200);
});
