import { describeWith } from '@parley/testing';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../../support/app.ts';
import { startEmbeddedChat, type EmbeddedChat } from '../../support/library/embedded-chat.ts';
import type { HostPage } from '../../support/library/host-page.ts';
import { until } from '../../support/until.ts';

// docs/guides/components.md#a-chat-for-any-page

let chat: EmbeddedChat;
let app: TestApp;
let conversation: string;
let browser: Browser;
let host: HostPage;
let say: EmbeddedChat['say'];
let send: EmbeddedChat['send'];

describeWith('chromium', 'an embedded chat', () => {
  beforeAll(async () => {
    chat = await startEmbeddedChat();
    ({ app, conversation, browser, host, say, send } = chat);
  }, 120_000);
  afterEach(() => chat.reset());
  afterAll(() => chat?.stop());

  test('keeps nothing where the browser refuses storage, and works', async () => {
    const context = await browser.newContext();
    await context.addInitScript(
      `IDBFactory.prototype.open = () => { throw new DOMException('refused', 'SecurityError'); }`,
    );
    const { page, complaints } = await host.open(context);
    await page.click('.parley-entry');
    await page.fill('textarea', 'Without storage');
    await page.press('textarea', 'Enter');
    await page.waitForSelector('.parley-message:has-text("Without storage") [data-receipt=sent]');
    expect(complaints).toEqual([]);
  }, 60_000);

  test.each([
    ['platform', '**/nonces', 'is busy or restarting. The chat tries again.'],
    ['token endpoint', '**/identity-token', 'did not answer as expected: HTTP 503.'],
  ])(
    'tries again by itself when the %s was busy',
    async (_name, address, sentence) => {
      const context = await browser.newContext();
      const headers = { 'access-control-allow-origin': '*' };
      await context.route(address, (route) => route.fulfill({ status: 503, headers, json: {} }));
      const { page } = await host.open(context);
      await page.waitForSelector(`parley-chat [role=alert]:has-text("${sentence}")`);
      await context.unroute(address);
      await page.waitForSelector('.parley-entry');
    },
    60_000,
  );

  test('sends a long text once, though its user leaves the conversation meanwhile and comes back', async () => {
    const context = await browser.newContext();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await context.route(/\/content$/, async (route) => {
      await released;
      await route.continue();
    });
    const { page } = await host.open(context, { conversation });
    const text = `A long text ${'and so on '.repeat(400)}`;
    await page.fill('textarea', text);
    await page.press('textarea', 'Enter');
    const show = (id: string) =>
      page.evaluate(`document.querySelector('parley-chat').setAttribute('conversation', '${id}')`);
    await show(`${conversation.slice(0, -4)}0000`);
    await page.waitForSelector('textarea', { state: 'detached' });
    await show(conversation);
    await page.waitForSelector('textarea[readonly]');
    await page.press('textarea', 'Enter');
    release();
    await page.waitForSelector('textarea:not([readonly])');
    expect(await page.inputValue('textarea')).toBe('');
    await page.fill('textarea', 'The end');
    await page.press('textarea', 'Enter');
    await page.waitForSelector('.parley-message:has-text("The end") [data-receipt=sent]');
    await page.waitForSelector('.parley-text:has-text("A long text")');
    expect(await page.locator('.parley-text:is(.parley-quiet, :has-text("A long text"))').count()).toBe(1);
  }, 60_000);

  test('renews addresses of files that have expired, once where one does not work', async () => {
    const { token } = await app.login('grace');
    const [file, image] = [await uploaded(token, 'application/pdf'), await uploaded(token, 'image/png')];
    await send(token, [
      { mime_type: 'application/pdf', content: { id: file }, filename: 'plan.pdf' },
      { mime_type: 'image/png', content: { id: image }, filename: 'broken.png' },
    ]);
    const context = await browser.newContext();
    // Each address has expired by this clock when it comes.
    await context.clock.setFixedTime(Date.now() + 24 * 3_600_000);
    const { page } = await host.open(context);
    const renewed: string[] = [];
    page.on('request', (request) => {
      const [, uuid] = /\/content\/([\w-]+)/.exec(new URL(request.url()).pathname) ?? [];
      if (uuid !== undefined && request.url().startsWith(app.baseUrl)) renewed.push(uuid);
    });
    await page.click('.parley-entry');
    const times = (id: string) => renewed.filter((uuid) => id.endsWith(uuid)).length;
    await until('the image was asked for twice', () => (times(image) === 2 ? true : undefined));
    await page.waitForSelector('.parley-file[href]');
    const before = times(file);
    await page.click('.parley-file');
    await until('the file was asked for again', () => (times(file) === before + 1 ? true : undefined));
    expect(times(image)).toBe(2);
  }, 60_000);

  /** The URI of a content of one byte. */
  async function uploaded(token: string, type: string): Promise<string> {
    const headers = { 'upload-content-type': type, 'upload-content-length': '1' };
    const { body } = await app.userOf('grace', token).call('POST', '/content', 201, { headers });
    expect((await fetch(body.upload_url, { method: 'PUT', body: 'x' })).status).toBe(200);
    return body.id;
  }

  test('says in all tabs what is wrong, though one of them has the connection', async () => {
    const context = await browser.newContext();
    const [{ page }, { page: other }] = [await host.open(context), await host.open(context)];
    for (const one of [page, other]) await one.waitForSelector('.parley-entry');
    host.tokenAnswer = { status: 401, body: {} };
    await app.server('DELETE', '/users/ada/sessions', 204);
    for (const one of [page, other])
      await one.waitForSelector('parley-chat [role=alert]:has-text("Your session has expired.")');
  }, 60_000);

  test('asks for another identity token when the session of a page that was reloaded expires', async () => {
    const context = await browser.newContext();
    const first = await host.open(context);
    await first.page.click('.parley-entry');
    await first.page.waitForSelector('textarea');
    await first.page.close();
    const { page } = await host.open(context);
    await page.click('.parley-entry');
    const grace = await app.login('grace');
    await say(grace.token, 'Before the end');
    await page.waitForSelector('.parley-text:has-text("Before the end")');
    const asked = host.tokensAsked;
    await app.server('DELETE', '/users/ada/sessions', 204);
    await until('it is asked', async () => (host.tokensAsked > asked ? true : undefined));
    await say(grace.token, 'After the end');
    await page.waitForSelector('.parley-text:has-text("After the end")');
  }, 60_000);

  test('is as the user left it when the token endpoint works again', async () => {
    const { page } = await host.open(browser);
    await page.click('.parley-entry');
    await page.fill('textarea', 'Half a sentence');
    host.tokenAnswer = { status: 500, body: {} };
    await app.server('DELETE', '/users/ada/sessions', 204);
    await page.waitForSelector('parley-chat [role=alert]:has-text("HTTP 500")');
    expect(await page.locator('textarea:visible').count()).toBe(0);
    host.tokenAnswer = undefined;
    await page.waitForSelector('textarea:visible');
    expect(await page.inputValue('textarea')).toBe('Half a sentence');
  }, 60_000);

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

  test('removes what is on the device when its page logs the user out while it shows a problem', async () => {
    const context = await browser.newContext();
    const first = await host.open(context);
    await first.page.click('.parley-entry');
    await first.page.fill('textarea', 'A draft');
    await first.page.close();
    host.tokenAnswer = { status: 401, body: {} };
    const { page } = await host.open(context);
    await page.waitForSelector('parley-chat [role=alert]:has-text("You are not logged in.")');
    expect(await recordsOn(page)).toBeGreaterThan(0);
    await page.evaluate(`document.querySelector('parley-chat').logout()`);
    expect(await recordsOn(page)).toBe(0);
    expect(await page.evaluate(`Object.keys(localStorage)`)).toEqual([]);
  }, 60_000);

  /** Number of records in all databases of a page. */
  function recordsOn(page: Page): Promise<number> {
    return page.evaluate(`(async () => {
      const resultOf = (request) =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      let records = 0;
      for (const { name } of await indexedDB.databases()) {
        const database = await resultOf(indexedDB.open(name));
        records += await resultOf(database.transaction('rows').objectStore('rows').count());
        database.close();
      }
      return records;
    })()`);
  }

  test('logs in no user whom its page has logged out meanwhile', async () => {
    const context = await browser.newContext();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await context.route('**/identity-token', async (route) => {
      ask();
      await answered;
      await route.continue();
    });
    const { page } = await host.open(context);
    await asked;
    await page.evaluate(`document.querySelector('parley-chat').logout()`);
    const token = page.waitForResponse('**/identity-token');
    answer();
    await (await token).finished();
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await page.locator('parley-chat [role=alert]').textContent()).toContain('You are not logged in.');
    expect(await recordsOn(page)).toBe(0);
  }, 60_000);
});
