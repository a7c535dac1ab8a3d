import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform, type Platform } from '@parley/stack/platform';
import { describeWith, findChromium, freePort } from '@parley/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { codeBlocks } from '../../support/guides/blocks.ts';

const guide = path.resolve(import.meta.dirname, '../../../docs/guides/quick-start.md');

describeWith('chromium', 'the page of the quick start', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-quick-start-'));
  const file = path.join(folder, 'chat.html');
  let running: Platform;
  let browser: Browser;

  beforeAll(async () => {
    const page = codeBlocks(readFileSync(guide, 'utf8')).find(({ options }) => options.file === 'chat.html');
    writeFileSync(file, page?.code ?? '');
    running = await startPlatform({
      dataDir: path.join(folder, 'data'),
      port: await freePort(),
      durable: false,
    });
    for (const user of ['ada', 'grace']) await logIn(user);
    browser = await chromium.launch({
      executablePath: findChromium() ?? '',
      args: ['--no-sandbox', '--headless'],
    });
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await running?.discard();
    rmSync(folder, { recursive: true, force: true });
  });

  async function logIn(user: string): Promise<string> {
    const answer = await fetch(`${running.state.demo?.login_url}/session?user=${user}`);
    return ((await answer.json()) as { session_token: string }).session_token;
  }

  async function open(user: string, friend: string): Promise<Page> {
    const page = await browser.newPage();
    const token = await logIn(user);
    const query = new URLSearchParams({ platform: running.state.base_url, token, friend });
    await page.goto(`file://${file}?${query}`);
    await page.waitForFunction('document.title === "Connected"');
    return page;
  }

  test('shows a message that another page sends, without a reload', async () => {
    const [graces, adas] = [await open('grace', 'ada'), await open('ada', 'grace')];
    await adas.fill('input', 'Seen without a reload');
    await adas.keyboard.press('Enter');
    await graces.waitForSelector('li:has-text("Ada: Seen without a reload")');
  });
});
