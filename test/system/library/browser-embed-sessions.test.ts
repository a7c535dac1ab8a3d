import { describeWith } from '@parley/testing';
import type { Browser, Page } from 'playwright-core';
import { startEmbeddedChat, type EmbeddedChat } from '../../support/library/embedded-chat.ts';
import type { HostPage } from '../../support/library/host-page.ts';
import { until } from '../../support/until.ts';

// docs/guides/components.md#a-chat-for-any-page

let chat: EmbeddedChat;
let browser: Browser;
let host: HostPage;

describeWith('chromium', 'an embedded chat', () => {
  beforeAll(async () => {
    chat = await startEmbeddedChat();
    ({ browser, host } = chat);
  }, 120_000);
  afterEach(() => chat.reset());
  afterAll(() => chat?.stop());

  test('ends in every tab when one page logs the user out', async () => {
    const context = await browser.newContext();
    const [{ page }, { page: other }] = [await host.open(context), await host.open(context)];
    for (const one of [page, other]) await one.waitForSelector('.parley-entry');
    await page.evaluate(`document.querySelector('parley-chat').logout()`);
    for (const one of [page, other])
      await one.waitForSelector('parley-chat [role=alert]:has-text("You are not logged in.")');
    // A client holds or awaits the lock of its store as long as it lives.
    await until('no client is left', async () => ((await locksOf(other)) === 0 ? true : undefined));
  }, 60_000);

  /** Number of locks that the pages of a browser context hold or await. */
  function locksOf(page: Page): Promise<number> {
    return page.evaluate(`navigator.locks.query().then(({ held, pending }) => held.length + pending.length)`);
  }
});
