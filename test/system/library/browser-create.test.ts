import { randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describeWith } from '@parley/testing';
import type { Browser } from 'playwright-core';
import { adminCall } from '../../support/app.ts';
import { buildLibrary, install } from '../../support/library/library.ts';
import { openPage, serve, startBrowser, type Served } from '../../support/library/page.ts';
import { startScopeRegistry, type ScopeRegistry } from '../../support/library/scope.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-create-'));
const chat = path.join(folder, 'my-chat');

describeWith('chromium', 'an application that the starter makes', () => {
  let running: OwnPlatform;
  let scope: ScopeRegistry;
  let browser: Browser;
  let output: string;

  async function create(...args: string[]): Promise<string> {
    const command = ['npx', '--yes', `${running.baseUrl}/library/create.tgz`, ...args];
    return install(command, { cwd: folder, env: scope.env });
  }

  beforeAll(async () => {
    buildLibrary();
    running = await ownPlatform();
    scope = await startScopeRegistry(folder);
    browser = await startBrowser();
    const { code } = await adminCall(running, 'CreateSignInCode', {});
    const link = `${running.baseUrl}/console/sign-in#code=${code}`;
    output = await create('my-chat', '--code', link);
    await install(['npm', 'install'], { cwd: chat, env: scope.env });
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    scope?.close();
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function settings(): Record<string, string> {
    return parseEnv(readFileSync(path.join(chat, '.env'), 'utf8')) as Record<string, string>;
  }

  test('has its settings in a file that only its owner reads and git leaves out', () => {
    expect((statSync(path.join(chat, '.env')).mode & 0o777).toString(8)).toBe('600');
    expect(readFileSync(path.join(chat, '.gitignore'), 'utf8').split('\n')).toContain('.env');
    expect(settings()['PARLEY_PRIVATE_KEY']).toContain('BEGIN PRIVATE KEY');
    expect(output).not.toContain('PRIVATE KEY');
  });

  test('leaves no session of the console open, and an entry in the audit log for each step', async () => {
    const { sessions } = await adminCall(running, 'ListOpenConsoleSessions', {});
    const { entries } = await adminCall(running, 'ListAuditEntries', { page_size: 100 });
    const actions = (entries as { action: string }[]).map(({ action }) => action).reverse();
    const signedIn = actions.slice(actions.indexOf('console_session.opened_by_code'));
    expect(signedIn.slice(1)).toEqual([
      'app.created',
      'provider.created',
      'key.created',
      'console_session.ended',
    ]);
    expect(sessions ?? []).toEqual([]);
  });

  test('lets two users chat', async () => {
    const dev = await serve(['npm', 'run', 'dev'], { cwd: chat, env: { PORT: '0' } });
    try {
      expect(dev.output.join('\n')).toContain('Anybody may log in by name here');
      const { page, complaints } = await openPage(browser, dev.url);
      const [ada, grace] = ['Ada', 'Grace'].map((name) => page.frameLocator(`iframe[title=${name}]`));
      await ada!.locator('input').fill('Hello, Grace!');
      await ada!.locator('input').press('Enter');
      await grace!.locator('li:text("Hello, Grace!")').waitFor();
      await grace!.locator('input').fill('Hello, Ada!');
      await grace!.locator('input').press('Enter');
      await ada!.locator('li:text("Hello, Ada!")').waitFor();
      expect(complaints).toEqual([]);
      await showsNoKey(dev);
    } finally {
      dev.stop();
    }
  }, 120_000);

  /** Asks the backend for the settings, and for a token without a user. */
  async function showsNoKey({ url }: Served): Promise<void> {
    const file = await (await fetch(`${url}.env`)).text();
    expect(file).not.toContain('PRIVATE');
    expect((await fetch(`${url}/`)).status).toBe(400);
    expect((await fetch(`${url}identity-token`)).status).toBe(400);
  }

  test('is built without the private key in a page', async () => {
    await install(['npm', 'run', 'build'], { cwd: chat });
    const files = globSync('dist/**/*.*', { cwd: chat }).map((file) =>
      readFileSync(path.join(chat, file), 'utf8'),
    );
    const [, body = ''] = settings()['PARLEY_PRIVATE_KEY']!.split('\n');
    const found = files.map((text) => [text.includes(body), text.includes('PARLEY_PRIVATE_KEY')]);
    expect(body).toHaveLength(64);
    expect(files.some((text) => text.includes(settings()['VITE_PARLEY_APP_ID']!))).toBe(true);
    expect(found.flat()).not.toContain(true);
  }, 120_000);

  test('does not let anybody in by name with NODE_ENV=production', async () => {
    const refused = install(['npm', 'run', 'dev'], { cwd: chat, env: { NODE_ENV: 'production', PORT: '0' } });
    await expect(refused).rejects.toThrow('does not run with NODE_ENV=production');
  });

  test('asks no registry for our packages', () => {
    expect(scope.requests).toEqual([]);
  });

  test('is not written over, and a code serves once', async () => {
    await expect(create('my-chat', '--url', running.baseUrl, '--code', 'x')).rejects.toThrow('is not empty');
    const used = create('other', '--url', running.baseUrl, '--code', 'x');
    await expect(used).rejects.toThrow('create-sign-in-code');
  }, 120_000);

  test('takes an application that exists', async () => {
    const env = settings();
    const key = path.join(folder, 'key.pem');
    await install([process.execPath, '-e', 'fs.writeFileSync(process.argv[1], process.env.PEM)', key], {
      cwd: folder,
      env: { PEM: env['PARLEY_PRIVATE_KEY']! },
    });
    const ids = ['--app', env['VITE_PARLEY_APP_ID']!, '--provider', env['PARLEY_PROVIDER_ID']!];
    const rest = ['--key', env['PARLEY_KEY_ID']!, '--private-key', key];
    await create('second', '--url', running.baseUrl, ...ids, ...rest);
    const second = parseEnv(readFileSync(path.join(folder, 'second', '.env'), 'utf8'));
    expect(second).toEqual(env);
    const wrong = ['--app', env['VITE_PARLEY_APP_ID']!.replace(/[^/]+$/, randomUUID()), ...ids.slice(2)];
    await expect(create('third', '--url', running.baseUrl, ...wrong, ...rest)).rejects.toThrow();
    expect(readdirSync(path.join(folder, 'third'))).toEqual([]);
  }, 120_000);
});
