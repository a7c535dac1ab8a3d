import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { warnOfUntrustedProxies } from './untrusted-proxies.ts';

type Warning = { msg: string; peer: string; entries: number; trustedProxies: number };

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** A server that answers everything, and the warnings that it logged so far. */
async function serve(trustedProxies: number) {
  const warnings: Warning[] = [];
  const destination = { write: (line: string) => void warnings.push(JSON.parse(line) as Warning) };
  const log = createLogger({ service: 'test', level: 'warn', destination });
  const server = createServer((_req, res) => res.end());
  server.on('upgrade', (_req, stream) => stream.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  warnOfUntrustedProxies(server, { trustedProxies, log });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  async function send(headers: Record<string, string>): Promise<void> {
    const req = request({ port, host: '127.0.0.1', headers, agent: false }).end();
    const [res] = (await once(req, 'response')) as [NodeJS.ReadableStream];
    await once(res.resume(), 'end');
  }
  return { warnings, send };
}

test('a forwarded address from a peer that is not trusted is warned of once', async () => {
  const { warnings, send } = await serve(0);
  await send({});
  expect(warnings).toEqual([]);
  await send({ 'x-forwarded-for': '203.0.113.9' });
  await send({ 'x-forwarded-for': '203.0.113.10' });
  expect(warnings).toMatchObject([{ peer: '127.0.0.1', entries: 1, trustedProxies: 0 }]);
  expect(warnings[0]?.msg).toMatch(/^X-Forwarded-For from an untrusted peer is ignored/);
});

test('upgrades are checked as well', async () => {
  const { warnings, send } = await serve(0);
  await send({ connection: 'upgrade', upgrade: 'websocket', 'x-forwarded-for': '203.0.113.9' });
  expect(warnings).toHaveLength(1);
});

test('a header with an entry for each trusted proxy causes no warning', async () => {
  const { warnings, send } = await serve(2);
  await send({ 'x-forwarded-for': '203.0.113.9, 10.0.0.2' });
  expect(warnings).toEqual([]);
});

test('a header with too few entries causes a warning that too many proxies are trusted', async () => {
  const { warnings, send } = await serve(2);
  await send({ 'x-forwarded-for': '203.0.113.9' });
  expect(warnings).toMatchObject([{ entries: 1, trustedProxies: 2 }]);
  expect(warnings[0]?.msg).toMatch(/fewer entries than PARLEY_TRUSTED_PROXIES/);
});
