import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { generate } from 'selfsigned';
import { startReceiver, type Receiver } from '@parley/testing/doubles/receiver';
import { until } from '@parley/testing';
import { errors } from 'undici';
import { TargetRefused } from '@parley/outbound/connect';
import { describeFailure } from '@parley/outbound/describe-failure';
import { createTargetClient, type TargetClient } from '@parley/outbound/client';
import { createResolve } from '@parley/outbound/resolve';
import { parseRanges } from '@parley/outbound/settings';
import { spellings } from './support/refused-addresses.ts';

const strict = { allowedRanges: [], allowedPorts: [], allowHttp: true };
const local = { ...strict, allowedRanges: parseRanges()._parse('127.0.0.1/32') };

let receiver: Receiver;
let client: TargetClient | undefined;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await client?.close();
  client = undefined;
  await receiver.stop();
});

function get(url: string) {
  return client!.send({ method: 'GET', url: new URL(url), headers: {}, maxBytes: 100 });
}

test('there are more than a hundred spellings', () => {
  expect(new Set(spellings).size).toBeGreaterThan(100);
});

test('no spelling of a private address is connected to', async () => {
  client = createTargetClient(strict, { resolve: createResolve() });
  const { port } = new URL(receiver.url);
  for (const host of spellings) {
    for (const url of [`http://${host}:${port}/`, `http://${host}/`, `https://${host}/`]) {
      if (!URL.canParse(url)) continue;
      await expect(get(url).then(() => url)).rejects.toThrow(/not a public address/);
    }
  }
  expect(receiver.received).toHaveLength(0);
});

test('a name whose address changes is connected to at the address that was checked', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.2', '::1', '169.254.169.254']];
  const asked: string[] = [];
  const resolve = (name: string) => {
    asked.push(name);
    return Promise.resolve(answers[asked.length - 1] ?? []);
  };
  client = createTargetClient(local, { resolve });
  receiver.respond = (_, response) => response.writeHead(200, { connection: 'close' }).end();
  const url = receiver.url.replace('127.0.0.1', 'rebinding.example');
  expect((await get(url)).status).toBe(200);
  expect(receiver.received[0]!.headers.host).toBe(new URL(url).host);
  await expect(get(url)).rejects.toThrow(TargetRefused);
  await expect(get(url)).rejects.toThrow(TargetRefused);
  expect(asked).toEqual(['rebinding.example', 'rebinding.example', 'rebinding.example']);
  expect(receiver.received).toHaveLength(1);
});

test('of several addresses only the allowed ones are tried', async () => {
  const resolve = () => Promise.resolve(['10.0.0.1', '127.0.0.1']);
  client = createTargetClient(local, { resolve });
  expect((await get(receiver.url.replace('127.0.0.1', 'mixed.example'))).status).toBe(200);
});

test('a redirect is an answer, and is not followed', async () => {
  client = createTargetClient(local, { resolve: createResolve() });
  receiver.respond = (_, response) => response.writeHead(302, { location: receiver.url }).end();
  expect((await get(receiver.url)).status).toBe(302);
  expect(receiver.received).toHaveLength(1);
});

test('no more of a body is read than requested', async () => {
  client = createTargetClient(local, { resolve: createResolve() });
  receiver.respond = (_, response) => response.end(Buffer.alloc(10_000_000));
  const { body, isWhole } = await get(receiver.url);
  expect({ length: body.length, isWhole }).toEqual({ length: 100, isWhole: false });
});

test('a request takes at most 10 s, even if the answer arrives byte by byte', async () => {
  client = createTargetClient(local, { resolve: createResolve() });
  receiver.respond = (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 200);
    response.on('close', () => clearInterval(timer));
  };
  const began = Date.now();
  const { status, isWhole } = await get(receiver.url);
  expect({ status, isWhole }).toEqual({ status: 200, isWhole: false });
  expect(Date.now() - began).toBeLessThan(12_000);
});

test('the reason is always the same when a target does not answer, with TLS or without', async () => {
  const sockets = new Set<Socket>();
  const silent = createTcpServer((socket) => sockets.add(socket.on('error', () => {})));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  // A multiple of the tick of undici's timers, which then come early: by up to a tick.
  const resolve = () => Promise.resolve(['127.0.0.1']);
  client = createTargetClient(local, { resolve, timeoutMs: 3 * 499 });
  const reasons: Promise<unknown>[] = [];
  const began = performance.now();
  // Begun at different times within a tick.
  try {
    while (reasons.length < 40) {
      const protocol = reasons.length % 2 === 0 ? 'http' : 'https';
      reasons.push(get(`${protocol}://t${reasons.length}.example:${port}/`).catch(describeFailure));
      const connected = () => sockets.size >= reasons.length || undefined;
      await until(connected, { withinMs: 5000, everyMs: 3, what: 'the request is connected' });
    }
    expect(new Set(await Promise.all(reasons))).toEqual(new Set(['no answer within 10 s']));
    // Also where the connection is never made.
    expect(performance.now() - began).toBeLessThan(10_000);
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});

test('a connection attempt that an earlier request began fails with the same reason', () => {
  expect(describeFailure(new errors.ConnectTimeoutError('attempted address'))).toBe('no answer within 10 s');
});

describe('over TLS', () => {
  let server: Server;
  let names: (string | false)[];
  let ca: string;
  let port: number;

  beforeAll(async () => {
    const extensions = [
      { name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: 'target.example' }] },
    ];
    const made = await generate([{ name: 'commonName', value: 'target.example' }], { extensions });
    ca = made.cert;
    names = [];
    server = createServer({ key: made.private, cert: made.cert }, (req, res) => {
      names.push((req.socket as never as { servername: string | false }).servername);
      res.end(req.headers.host);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const resolve = () => Promise.resolve(['127.0.0.1']);

  test('the name stays in SNI, in the certificate and in the Host header', async () => {
    client = createTargetClient(local, { resolve, ca });
    const { body } = await get(`https://target.example:${port}/`);
    expect(body.toString()).toBe(`target.example:${port}`);
    expect(names).toEqual(['target.example']);
  });

  test('a certificate of another name, or of an unknown issuer, is refused', async () => {
    client = createTargetClient(local, { resolve, ca });
    await expect(get(`https://other.example:${port}/`)).rejects.toThrow(/altnames/);
    await client.close();
    client = createTargetClient(local, { resolve });
    await expect(get(`https://target.example:${port}/`)).rejects.toThrow(/self-signed/);
  });
});
