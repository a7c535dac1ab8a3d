import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeWith } from '@parley/testing';
import type { Browser } from 'playwright-core';
import { createApp, type TestApp } from '../../support/app.ts';
import { buildLibrary, install } from '../../support/library/library.ts';
import { openPage, serve, startBrowser } from '../../support/library/page.ts';
import { platform } from '../../support/platform.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-template-'));
const project = path.join(folder, 'app');

/** An application's main file, which shows the messages of a conversation and sends one. */
function mainFile({ url, appId }: { url: string; appId: string }): string {
  return `import { createClient } from '@parley/client';
import { indexedDbStorage, tabs } from '@parley/client/indexeddb';
import { ParleyProvider, useConversations, useMessages, useSendMessage } from '@parley/react';
import { Chat as WholeChat, ParleyProvider as ComponentsProvider, de } from '@parley/react-ui';
import '@parley/react-ui/style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

declare global {
  interface Window { identityToken(nonce: string): Promise<string> }
}

const client = createClient({
  url: ${JSON.stringify(url)},
  appId: ${JSON.stringify(appId)},
  identityToken: (nonce) => window.identityToken(nonce),
  storage: indexedDbStorage(),
  coordinator: tabs(),
});
void client.createConversation({ participants: ['grace'], distinct: true });

function Chat() {
  const [conversation] = useConversations().items;
  const { items } = useMessages(conversation?.id);
  const send = useSendMessage(conversation?.id);
  return (
    <>
      <button disabled={!conversation} onClick={() => void send('Hello!')}>Send</button>
      {items.map(({ id, state, text }) => <p key={id} data-state={state}>{text}</p>)}
    </>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ParleyProvider client={client}><Chat /></ParleyProvider>
    <ComponentsProvider client={client} texts={de}><WholeChat /></ComponentsProvider>
  </StrictMode>,
);
`;
}

describeWith('chromium', "Vite's own template with the packages of the platform", () => {
  let app: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    buildLibrary();
    const running = await platform();
    app = await createApp(running);
    await app.login('grace');
    browser = await startBrowser();
    const env = { npm_config_cache: path.join(folder, 'npm-cache') };
    const made = [
      'npm',
      'create',
      '--yes',
      'vite@latest',
      'app',
      '--',
      '--template',
      'react-ts',
      '--no-interactive',
    ];
    await install(made, { cwd: folder, env });
    const packages = ['client', 'react', 'react-ui'].map((name) => `${running.baseUrl}/library/${name}.tgz`);
    await install(['npm', 'install', ...packages], { cwd: project, env });
    writeFileSync(path.join(project, 'src/main.tsx'), mainFile({ url: app.baseUrl, appId: app.appId }));
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function showsChat(url: string, user: string): Promise<void> {
    const context = await browser.newContext();
    await context.exposeFunction('identityToken', (nonce: string) => app.identityToken(user, { nonce }));
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    await page.click('button:enabled:text-is("Send")');
    await page.waitForSelector('p[data-state=sent]:text("Hello!")');
    await page.click('.parley-entry');
    await page.waitForSelector('.parley-message[data-state=sent] .parley-text:has-text("Hello!")');
    expect(complaints).toEqual([]);
    await context.close();
  }

  test('is checked with strict types and built, and the built page shows a chat', async () => {
    await install(['npx', 'tsc', '-p', 'tsconfig.app.json', '--noEmit', '--strict'], { cwd: project });
    await install(['npm', 'run', 'build'], { cwd: project });
    const args = ['npx', 'vite', 'preview', '--port', '0', '--host', '127.0.0.1'];
    const preview = await serve(args, { cwd: project });
    try {
      await showsChat(preview.url, 'ada');
    } finally {
      preview.stop();
    }
  }, 300_000);

  test('shows a chat while it is developed', async () => {
    const dev = await serve(['npx', 'vite', '--port', '0', '--host', '127.0.0.1'], { cwd: project });
    try {
      await showsChat(dev.url, 'linus');
    } finally {
      dev.stop();
    }
  }, 120_000);

  test('a page without a bundler imports the module by the line of the listing, and no other bytes', async () => {
    const { files } = (await (await fetch(`${app.baseUrl}/library/`)).json()) as {
      files: { name: string; use: string }[];
    };
    const use = files.find(({ name }) => name === 'client.js')?.use ?? '';
    const shown = use
      .replace('</script>\n', '</script>\n')
      .replace("'@parley/client';", "'@parley/client';\n  document.title = typeof createClient;");
    const wrong = shown.replace(/sha384-.{4}/, 'sha384-AAAA');
    writeFileSync(path.join(folder, 'right.html'), shown);
    writeFileSync(path.join(folder, 'wrong.html'), wrong);
    const right = await openPage(browser, `file://${folder}/right.html`);
    await right.page.waitForFunction('document.title === "function"');
    const { page, complaints } = await openPage(browser, `file://${folder}/wrong.html`);
    await page.waitForLoadState('networkidle');
    expect(await page.title()).not.toBe('function');
    expect(complaints.join('\n')).toContain('integrity');
  }, 60_000);
});
