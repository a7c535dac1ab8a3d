import path from 'node:path';
import { describeWith } from '@parley/testing';
import type { Page } from 'playwright-core';
import { startPages, type TestPages } from '../../../client/test/browser/pages.ts';
import { createApp, textPart, uuidOf, type TestApp } from '../../../../test/support/app.ts';
import { platform } from '../../../../test/support/platform.ts';
import type * as chat from './pages/chat.ts';

declare global {
  interface Window {
    parley: typeof chat;
  }
}

const CHAT = path.join(import.meta.dirname, 'pages/chat.ts');
const VERSIONS = [
  ['18', { react: 'react-18', 'react-dom': 'react-dom-18' }],
  ['19', {}],
] as const;

describeWith('chromium', 'the hooks', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createApp(await platform());
  });

  describe.each(VERSIONS)('of React %s', (version, alias) => {
    let pages: TestPages;

    beforeAll(async () => {
      pages = await startPages({ module: CHAT, alias });
    }, 60_000);
    afterAll(() => pages?.close());

    async function open(user: string): Promise<Page> {
      const userId = `${user}-${version}`;
      const context = await pages.context();
      const page = await pages.open(context);
      await page.exposeFunction('identityToken', (id: string, nonce: string) =>
        app.identityToken(id, { nonce, claims: { display_name: id } }),
      );
      await page.evaluate((login) => window.parley.start(login), {
        url: app.baseUrl,
        appId: app.appId,
        userId,
      });
      await page.waitForSelector('[data-status=online]');
      return page;
    }

    test('show what happens, and send what the user does', async () => {
      const [ada, grace] = [await open('ada'), await open('grace')];
      expect(await ada.evaluate(() => window.parley.reactVersion)).toMatch(new RegExp(`^${version}\\.`));
      await ada.waitForSelector('#count:text("0")');
      const id = await ada.evaluate((other) => window.parley.createConversation([other]), `grace-${version}`);
      for (const page of [ada, grace]) await page.click('#conversations button');
      await ada.waitForSelector('#count:text("1")');

      const announced = { recipients: [`grace-${version}`], sender_id: `ada-${version}` };
      await app.server('POST', '/announcements', 202, {
        body: { ...announced, parts: [textPart('Version 2')] },
      });
      await grace.waitForSelector('#announced:text("Version 2")');

      await ada.type('input', 'Hello, Grace!');
      await grace.waitForSelector(`#typing:text("ada-${version}")`);
      await ada.press('input', 'Enter');
      await ada.waitForSelector('#messages li[data-state=sent]:text("Hello, Grace!")');
      await grace.waitForSelector('#messages li:text("Hello, Grace!")');
      await grace.waitForSelector('#newest:text("Hello, Grace!")');
      await grace.waitForSelector('#unread:text("1")');
      await grace.click('#read');
      await grace.waitForSelector('#unread:text("0")');
      await ada.waitForSelector(`#presence:text("grace-${version} available")`);

      const conversations = `/conversations/${uuidOf(id)}/messages`;
      for (const text of ['2', '3', '4']) {
        const body = { sender_id: `ada-${version}`, parts: [textPart(text)] };
        await app.server('POST', conversations, 201, { body });
      }
      await grace.waitForSelector('#messages li:text("4")');
      const fresh = await open('grace');
      await fresh.click('#conversations button');
      await fresh.waitForSelector('#messages li:text("4")');
      await fresh.click('#older');
      await fresh.waitForSelector('#messages li:text("Hello, Grace!")');

      await grace.evaluate(() => window.parley.setOnline(false));
      await grace.waitForSelector('[data-status=offline]');
      await grace.fill('input', 'written offline');
      await grace.press('input', 'Enter');
      await grace.waitForSelector('#messages li[data-state=sending]:text("written offline")');
      await grace.evaluate(() => window.parley.setOnline(true));
      await ada.waitForSelector('#messages li:text("written offline")');
      await grace.click('#upload-file');
      await grace.waitForSelector('#upload:text("done 5/5")');
      expect(pages.complaints).toEqual([]);
    }, 60_000);
  });
});
