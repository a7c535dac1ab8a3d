import { request as send } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createRouterTransport } from '@connectrpc/connect';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { ADMIN_TOKEN, startGateway, type TestGateway } from './support/gateway.ts';

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

let gateway: TestGateway;

beforeAll(async () => {
  const identityTransport = createRouterTransport(({ service }) => {
    service(AdminService, { createApp: ({ name }) => ({ app: { name } }) });
  });
  gateway = await startGateway({ identityTransport });
});
afterAll(() => gateway.stop());

type Answer = { status: number | undefined; json: object };

function post(method: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = send(`${gateway.baseUrl}/admin/rpc/parley.${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json', ...headers },
    });
    req.on('error', reject);
    req.on('response', (res) => {
      readText(res)
        .then((text) => resolve({ status: res.statusCode, json: JSON.parse(text) as object }))
        .catch(reject);
    });
    req.end(body);
  });
}

const refused = { status: 400, json: { code: 'invalid_argument' } };
const createApp = 'identity.v1.AdminService/CreateApp';
const importMessages = 'messaging.v1.ImportService/ImportMessages';

test.each([
  ['a field', createApp, `{"name":${DEEP}}`],
  ['a field that is not known', createApp, `{"name":"x","other":${DEEP}}`],
  ['a field of any value', importMessages, `{"messages":[{"parts":${DEEP}}]}`],
  ['the body', createApp, DEEP],
])('20,000 levels in %s are refused, compressed or not', async (_, method, body) => {
  expect(await post(method, body)).toMatchObject(refused);
  expect(await post(method, gzipSync(body), { 'content-encoding': 'gzip' })).toMatchObject(refused);
  expect(await post(method, brotliCompressSync(body), { 'content-encoding': 'br' })).toMatchObject(refused);
});

test.each([
  ['no JSON', '{', {}],
  ['no message', Buffer.from('ffffff', 'hex'), { 'content-type': 'application/proto' }],
  ['a message whose name is a number', Buffer.from('087f', 'hex'), { 'content-type': 'application/proto' }],
  ['not compressed as it says', '{}', { 'content-encoding': 'gzip' }],
  ['compressed in a way that is not known', '{}', { 'content-encoding': '?' }],
  ['compressed in several ways', '{}', { 'content-encoding': 'gzip, br' }],
  ['for a host that no address names', '{}', { host: 'a b:c' }],
])('a request that is %s is refused', async (_, body, headers) => {
  expect((await post(createApp, body, headers)).status).toBe(400);
});

test('a message within the limits is served, compressed or not', async () => {
  const body = '{"name":"x"}';
  const served = { status: 200, json: { app: { name: 'x' } } };
  expect(await post(createApp, body)).toMatchObject(served);
  expect(await post(createApp, gzipSync(body), { 'content-encoding': 'gzip' })).toMatchObject(served);
});

test('a message that is too large is refused', async () => {
  const { status, json } = await post(createApp, `{"name":"${'x'.repeat(5 * 1_048_576)}"}`);
  expect([status, json]).toMatchObject([429, { code: 'resource_exhausted' }]);
});
