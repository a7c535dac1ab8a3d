import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { createApp, type TestApp } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

const PACKAGE = path.resolve(import.meta.dirname, '../../../packages/client');

let app: TestApp;
let login: Server;
let loginUrl: string;
let folder: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-examples-'));
  app = await createApp(await platform(), 'examples');
  await Promise.all(['ada', 'grace', 'bot'].map((name) => app.login(name)));
  login = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://login').searchParams;
    const signed = app.identityToken(query.get('user') ?? '', { nonce: query.get('nonce') ?? '' });
    void signed.then((token) => response.end(token));
  }).listen(0, '127.0.0.1');
  await once(login, 'listening');
  loginUrl = `http://127.0.0.1:${(login.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  login.closeAllConnections();
  login.close();
  await once(login, 'close');
  rmSync(folder, { recursive: true, force: true });
});

type Program = { readonly said: () => string; readonly child: ChildProcess; say(line: string): void };

/** Runs a program of the documents, whose import of the library is resolved as in an application. */
async function run(name: string, contents: string, args: readonly string[]): Promise<Program> {
  const source = path.join(folder, name);
  writeFileSync(source, contents);
  const outfile = path.join(folder, `bundled-${name}`);
  const alias = { '@parley/client': path.join(PACKAGE, 'src/index.ts') };
  await build({
    entryPoints: [source],
    outfile,
    alias,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  const child = spawn(process.execPath, [outfile, ...args], { env: { ...process.env, LOGIN: loginUrl } });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += String(data)));
  return { child, said: () => text, say: (line) => void child.stdin.write(`${line}\n`) };
}

function says(program: Program, line: string): Promise<true> {
  return until(`the program says ${line}`, () => program.said().includes(line) || undefined, 30_000).catch(
    () => {
      throw new Error(`it does not say ${line}, but: ${program.said()}`);
    },
  ) as Promise<true>;
}

test('the thirty lines of the README are a chat between two', async () => {
  const readme = readFileSync(path.join(PACKAGE, 'README.md'), 'utf8');
  const [, code = ''] = /```js file=chat\.mjs\n(.*?)```/s.exec(readme) ?? [];
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(32);
  const open = (name: string, me: string, other: string) =>
    run(name, code, [app.baseUrl, app.appId, me, other]);
  const ada = await open('ada.mjs', 'ada', 'grace');
  const grace = await open('grace.mjs', 'grace', 'ada');
  ada.say('Hello, Grace!');
  await says(grace, 'ada: Hello, Grace!');
  grace.say('Hello, Ada!');
  await says(ada, 'grace: Hello, Ada!');
  ada.say('bye');
  expect(await once(ada.child, 'exit')).toEqual([0, null]);
});

test('the bot answers, once', async () => {
  const code = readFileSync(path.join(PACKAGE, 'examples/bot.mjs'), 'utf8');
  const bot = await run('bot.mjs', code, [app.baseUrl, app.appId, 'bot', loginUrl]);
  await says(bot, 'ready');
  const ada = await app.login('ada');
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['bot'] } });
  const messages = body.messages_url as string;
  const parts = [{ mime_type: 'text/plain', body: 'One' }];
  await ada.call('POST', messages, 201, { body: { parts } });
  const answers = await until(
    'the bot answers',
    async () => {
      const { body: list } = await ada.call('GET', messages, 200);
      return list.length > 1 && list[1].recipient_status['svc:///identities/bot'] === 'read'
        ? list
        : undefined;
    },
    30_000,
  );
  expect(answers.map((one: { parts: { body: string }[] }) => one.parts[0]?.body)).toEqual([
    'You said: One',
    'One',
  ]);
});
