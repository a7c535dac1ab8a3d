import { createRouterTransport } from '@connectrpc/connect';
import { Agent, request as send } from 'node:http';
import { sendShredded } from '@parley/testing/shredded-request';
import { call, MEDIA_TYPE } from './support/call.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens, SESSION_TOKEN } from './support/identity.ts';

const LIMIT = 1_048_576;
const authorization = `Svc session-token="${SESSION_TOKEN}"`;

let gateway: TestGateway;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  const messagingTransport = createRouterTransport(() => undefined);
  gateway = await startGateway({ identityTransport: knownTokens(), messagingTransport });
});
afterAll(async () => {
  agent.destroy();
  await gateway.stop();
});

type Sent = { status: number; id: unknown; localPort: number };

/** Over the one connection of `agent`; with a length, or in chunks. */
function post(
  path: string,
  bytes: Buffer,
  options: { chunked?: boolean; method?: string } = {},
): Promise<Sent> {
  const { chunked = false, method = 'POST' } = options;
  const length = chunked ? {} : { 'content-length': bytes.length };
  return new Promise((resolve, reject) => {
    const headers = { accept: MEDIA_TYPE, authorization, ...length };
    const req = send(gateway.baseUrl + path, { method, agent, headers }, (res) => {
      const localPort = res.socket.localPort ?? 0;
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const id = text === '' ? undefined : (JSON.parse(text) as { id: unknown }).id;
        resolve({ status: res.statusCode ?? 0, id, localPort });
      });
    });
    req.on('error', reject);
    for (let offset = 0; offset < bytes.length; offset += 65_536)
      req.write(bytes.subarray(offset, offset + 65_536));
    req.end();
  });
}

const json = (size: number) => Buffer.from(`"${'x'.repeat(size - 2)}"`);

test.each([[false], [true]])(
  'a body over 1 MB is refused and the connection lives on (chunked: %s)',
  async (chunked) => {
    const refused = await post('/conversations', json(LIMIT + 1), { chunked });
    expect({ status: refused.status, id: refused.id }).toEqual({
      status: 413,
      id: 'request_entity_too_large',
    });
    const next = await post('/nonces', Buffer.alloc(0));
    expect({ status: next.status, localPort: next.localPort }).toEqual({
      status: 201,
      localPort: refused.localPort,
    });
  },
);

test.each([[false], [true]])('a body of 1 MB is read (chunked: %s)', async (chunked) => {
  const { status, id } = await post('/conversations', json(LIMIT), { chunked });
  expect({ status, id }).toEqual({ status: 400, id: 'invalid_request' });
});

test.each([['{'], ['nonsense'], ['"\xff"'], ['[1]'], ['"text"'], ['null']])(
  '%s is no object',
  async (text) => {
    const { status, id } = await post('/conversations', Buffer.from(text, 'latin1'));
    expect({ status, id }).toEqual({ status: 400, id: 'invalid_request' });
  },
);

test.each([
  ['POST', '/conversations'],
  ['POST', '/nonces'],
  ['POST', '/sessions'],
  ['POST', '/push_tokens'],
  ['POST', '/following/users'],
  ['PUT', '/presence'],
  ['PATCH', '/conversations/01990000-0000-7000-8000-000000000001'],
])('%s %s refuses JSON of 20,000 levels', async (method, path) => {
  for (const [opening = '', closing = ''] of [
    ['[', ']'],
    ['{"a":', '}'],
  ]) {
    const deep = `${opening.repeat(20_000)}1${closing.repeat(20_000)}`;
    for (const text of [deep, `{"metadata":${deep}}`, `[{"operation":"set","value":${deep}}]`]) {
      const { status, id } = await post(path, Buffer.from(text), { method });
      expect({ status, id }).toEqual({ status: 400, id: 'invalid_request' });
    }
  }
});

test.each(['/conversations', '/sessions', '/nonces', '/content'])(
  'the rest of a body in pieces of one byte to %s is not read, and its connection ends',
  async (path) => {
    const status = await sendShredded(gateway.baseUrl + path, {
      headers: { accept: MEDIA_TYPE, authorization },
    });
    expect(status).toBe(400);
  },
);

test('a refused body that was never read does not disturb the next request', async () => {
  const refused = await post('/nowhere', json(3 * LIMIT));
  expect(refused.status).toBe(404);
  expect((await post('/nonces', Buffer.alloc(0))).status).toBe(201);
});

test.each([['[]'], ['{}'], ['{']])('the body %s of GET and DELETE is ignored', async (text) => {
  const { status } = await post('/messages/nonsense', Buffer.from(text), { method: 'DELETE' });
  expect(status).toBe(404);
});

test('Content-Type without a body is fine', async () => {
  const headers = { 'content-type': 'application/json' };
  expect((await call('POST', `${gateway.baseUrl}/nonces`, { headers })).json).toEqual({ nonce: 'a-nonce' });
});
