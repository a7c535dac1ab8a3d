import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { ProblemSchema } from '@parley/proto/parley/problem/v1/problem_pb';
import { run } from '../src/run.ts';

let server: Server;
let url: string;
let folder: string;
let headers: IncomingHttpHeaders;
let requests: unknown[];

beforeAll(async () => {
  const handle = connectNodeAdapter({
    requestPathPrefix: '/admin/rpc',
    routes: (router) =>
      router.service(AdminService, {
        createApp: (request) => {
          requests.push(request);
          return { app: { id: 'svc:///apps/staging/1', appUuid: '1', name: request.name } };
        },
        updateApp: (request) => {
          requests.push(request);
          return {};
        },
        getApp: () => {
          const problem = { id: 'not_found', message: 'There is no such application.' };
          throw new ConnectError('x', Code.NotFound, undefined, [{ desc: ProblemSchema, value: problem }]);
        },
      }),
  });
  server = createServer((req, res) => {
    headers = req.headers;
    handle(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(path.join(tmpdir(), 'parley-cli-'));
});

beforeEach(() => (requests = []));

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function parley(args: string[], env?: Record<string, string>) {
  let out = '';
  let err = '';
  const code = await run(args, {
    env: env ?? { PARLEY_URL: url, PARLEY_ADMIN_TOKEN: 'secret-of-admins' },
    folder,
    print: (text) => (out += text),
    printError: (text) => (err += text),
  });
  return { code, out, err };
}

test('calls a method with options for the fields, and prints the answer as JSON with the names of the API', async () => {
  const { code, out } = await parley(['admin', 'create-app', '--name', 'Shop', '--environment', 'staging']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    app: { app_uuid: '1', name: 'Shop', suspended: false, allowed_origins: [] },
  });
  expect(requests).toMatchObject([{ name: 'Shop', environment: 'staging' }]);
  expect(headers.authorization).toBe('Bearer secret-of-admins');
  expect(headers['content-type']).toBe('application/json');
});

test('takes the request as JSON, and options win over it', async () => {
  const json = '{"app_uuid": "1", "session_ttl_in_seconds": 60}';
  const args = ['--session-ttl-in-seconds', '90', '--allowed-origins', '{"origins": ["https://a.example"]}'];
  expect((await parley(['admin', 'update-app', json, ...args])).code).toBe(0);
  expect(requests).toMatchObject([
    { appUuid: '1', sessionTtlInSeconds: 90, allowedOrigins: { origins: ['https://a.example'] } },
  ]);
});

test('every method of the administration API is a command', async () => {
  const { out } = await parley(['admin', '--help']);
  for (const { name } of AdminService.methods) {
    expect(out).toContain(` ${name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase()} `);
  }
});

test('a file that is nested too deep is not imported', async () => {
  const file = path.join(folder, 'deep.json');
  writeFileSync(file, `{"conversations": [${'['.repeat(20_000)}${']'.repeat(20_000)}]}`);
  expect(await parley(['import', file, '--app', '1'])).toEqual({
    code: 1,
    out: '',
    err: 'parley: the file is nested deeper than 64 levels\n',
  });
});

test('a failure is one line with the problem, and exit code 1', async () => {
  expect(await parley(['admin', 'get-app', '--app-uuid', '2'])).toEqual({
    code: 1,
    out: '',
    err: 'parley: not_found: There is no such application.\n',
  });
});

test.each([
  ['an unknown method', ['admin', 'create-everything']],
  ['an unknown option', ['admin', 'create-app', '--nmae', 'x']],
  ['a number that is none', ['admin', 'update-app', '--session-ttl-in-seconds', 'long']],
  ['a request that is not JSON', ['admin', 'create-app', '{']],
  ['a request with an unknown field', ['admin', 'create-app', '{"nmae": "x"}']],
])('%s is one line and exit code 1', async (_, args) => {
  const { code, err } = await parley(args);
  expect(code).toBe(1);
  expect(err).toMatch(/^parley: [^\n]+\n$/);
  expect(requests).toEqual([]);
});

test('an address without a server gives one line and exit code 1', async () => {
  const env = { PARLEY_URL: 'http://127.0.0.1:9', PARLEY_ADMIN_TOKEN: 'secret-of-admins' };
  const { code, err } = await parley(['admin', 'list-apps'], env);
  expect(code).toBe(1);
  expect(err).toMatch(/^parley: [^\n]*ECONNREFUSED[^\n]*\n$/);
});

test('without the variables it talks to the platform that runs in this folder', async () => {
  expect(await parley(['admin', 'list-apps'], {})).toMatchObject({
    code: 1,
    err: expect.stringContaining('PARLEY_ADMIN_TOKEN'),
  });
  mkdirSync(path.join(folder, '.parley', 'local'), { recursive: true });
  const state = { base_url: url, admin_token: 'token-of-this-folder' };
  writeFileSync(path.join(folder, '.parley', 'local', 'state.json'), JSON.stringify(state));
  expect((await parley(['admin', 'create-app', '--name', 'Shop', '--environment', 'test'], {})).code).toBe(0);
  expect(headers.authorization).toBe('Bearer token-of-this-folder');
});
