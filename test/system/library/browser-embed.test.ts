import { describeWith } from '@parley/testing';
import type { Browser, Page } from 'playwright-core';
import { createApp, type TestApp } from '../../support/app.ts';
import { startEmbeddedChat, type EmbeddedChat } from '../../support/library/embedded-chat.ts';
import { startHostPage, type HostPage } from '../../support/library/host-page.ts';
import { startBrowser } from '../../support/library/page.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';

// docs/guides/components.md#a-chat-for-any-page

let chat: EmbeddedChat;
let app: TestApp;
let conversation: string;
let browser: Browser;
let host: HostPage;
let say: EmbeddedChat['say'];

describeWith('chromium', 'the chat of two lines, under a policy without inline styles and scripts,', () => {
  beforeAll(async () => {
    chat = await startEmbeddedChat();
    ({ app, conversation, browser, host, say } = chat);
  }, 120_000);
  afterEach(() => chat.reset());
  afterAll(() => chat?.stop());

  test('shows the conversations, and sends and receives', async () => {
    const { page, complaints } = await host.open(browser);
    await page.click('.parley-entry');
    await page.waitForSelector('.parley-text:has-text("Hello, Ada!")');
    await page.fill('textarea', 'Hello, Grace!');
    await page.press('textarea', 'Enter');
    await page.waitForSelector('[data-receipt=sent]');
    const grace = await app.login('grace');
    await say(grace.token, 'How are you?');
    await page.waitForSelector('.parley-text:has-text("How are you?")');
    expect(await styleOf(page, '.parley-message[data-own] .parley-bubble', 'borderRadius')).toContain('16px');
    expect(complaints).toEqual([]);
  }, 60_000);

  test('takes conversation, theme, language and colours from its attributes and its page', async () => {
    const { page, complaints } = await host.open(browser, { conversation, theme: 'dark', lang: 'de' });
    await page.waitForSelector('textarea[placeholder="Nachricht"]');
    expect(await page.locator('.parley-conversations').count()).toBe(0);
    const colour = () => styleOf(page, '.parley-conversation', 'backgroundColor');
    expect(await colour()).toBe('rgb(21, 24, 29)');
    await page.evaluate(`{
      const chat = document.querySelector('parley-chat');
      chat.setAttribute('theme', 'light');
      chat.setAttribute('lang', 'ar');
      chat.style.setProperty('--parley-surface', 'rgb(1, 2, 3)');
    }`);
    await page.waitForSelector('[dir=rtl] textarea');
    expect(await colour()).toBe('rgb(1, 2, 3)');
    expect(complaints).toEqual([]);
  }, 60_000);

  function styleOf(page: Page, selector: string, property: string): Promise<string> {
    const find = `document.querySelector('parley-chat').shadowRoot.querySelector('${selector}')`;
    return page.evaluate(`getComputedStyle(${find}).${property}`);
  }

  test('asks a token endpoint whose address ends in a slash, and a platform whose address does', async () => {
    const attributes = { 'token-endpoint': '/tokens/', platform: `${app.baseUrl}/` };
    const { page } = await host.open(browser, attributes);
    await page.waitForSelector('.parley-entry');
  }, 60_000);

  test('says that it does not work in a browser without what it needs', async () => {
    const context = await browser.newContext();
    await context.addInitScript('delete Promise.withResolvers');
    await says(await host.open(context), 'The chat cannot be shown: TypeError');
  }, 60_000);

  test('says that there is no such conversation', async () => {
    const { page } = await host.open(browser, { conversation: `${conversation.slice(0, -4)}0000` });
    await page.waitForSelector('[role=status]:has-text("This conversation does not exist")');
  }, 60_000);

  test.each([
    ['no platform', { platform: null }, 'This chat has no platform'],
    ['no application', { application: null }, 'This chat has no application'],
    ['no token endpoint', { 'token-endpoint': null }, 'This chat has no token endpoint'],
    ['a platform that is no address', { platform: 'http://' }, 'No Parley platform answers at http://.'],
    ['a platform where nothing answers', { platform: 'http://127.0.0.1:9' }, 'No Parley platform answers'],
    ['a platform that is another server', { platform: '/' }, 'No Parley platform answers at http://127'],
    ['an application that is no URI', { application: 'chat' }, 'does not know the application chat.'],
    [
      'an unknown application',
      { application: 'svc:///apps/staging/01990000-0000-7000-8000-000000000000' },
      'does not know the application svc:///apps/staging/01990000-',
    ],
    [
      'a token endpoint where nothing answers',
      { 'token-endpoint': 'http://127.0.0.1:9/token' },
      'The token endpoint http://127.0.0.1:9/token did not answer as expected: no answer.',
    ],
  ])('says in one sentence what is wrong with %s', async (_name, attributes, sentence) => {
    await says(await host.open(browser, attributes), sentence);
  });

  test.each([
    ['401', { status: 401, body: {} }, 'You are not logged in.'],
    ['500', { status: 500, body: {} }, 'did not answer as expected: HTTP 500.'],
    ['no token', { status: 200, body: { token: 'x' } }, 'did not answer as expected: no identity_token.'],
    ['a text', { status: 200, body: 'x' }, 'did not answer as expected: no identity_token.'],
    [
      'a token that nobody has signed',
      { status: 200, body: { identity_token: `e30.${btoa('{"prn":"ada"}').replace(/=/g, '')}.e30` } },
      'The platform refused the identity token of http://127.0.0.1',
    ],
  ])('says in one sentence that the token endpoint answers %s', async (_name, answer, sentence) => {
    host.tokenAnswer = answer;
    await says(await host.open(browser), sentence);
  });

  /** One sentence stands in the element and in the console, and nothing else of the chat. */
  async function says({ page, complaints }: Awaited<ReturnType<HostPage['open']>>, sentence: string) {
    const note = page.locator('parley-chat [role=alert]');
    await note.waitFor();
    const text = (await note.textContent()) ?? '';
    expect(text).toContain(sentence);
    const said = () => complaints.filter((line) => line === `parley-chat: ${text}`);
    await until('it stands in the console', () => said().length > 0 || undefined);
    expect(said()).toHaveLength(1);
    expect(
      await note.evaluate(({ clientHeight, clientWidth }) => clientHeight * clientWidth),
    ).toBeGreaterThan(0);
    expect(await page.locator('parley-chat textarea:visible').count()).toBe(0);
  }

  test('says that the application does not allow its origin, and shows the chat when it does', async () => {
    const allow = (...origins: string[]) =>
      app.admin('UpdateApp', { app_uuid: app.appUuid, allowed_origins: { origins } });
    await allow('https://elsewhere.example');
    const grace = await app.login('grace');
    const origin = host.url.slice(0, -1);
    const list = (expected: number) =>
      grace.call('GET', '/conversations', expected, { headers: { origin } }).catch(() => undefined);
    await until('the origins are in force', () => list(403));
    const opened = await host.open(browser);
    await says(opened, `The application does not allow pages of ${origin}.`);
    await allow();
    await until('all origins are allowed', () => list(200));
    await opened.page.click('parley-chat button');
    await opened.page.waitForSelector('.parley-entry');
  }, 60_000);

  test('says that the session has expired when the application has logged the user out', async () => {
    const opened = await host.open(browser);
    await opened.page.click('.parley-entry');
    await opened.page.waitForSelector('textarea');
    host.tokenAnswer = { status: 401, body: {} };
    await app.server('DELETE', '/users/ada/sessions', 204);
    await says(opened, 'Your session has expired.');
    host.tokenAnswer = undefined;
    await opened.page.click('parley-chat button');
    await opened.page.waitForSelector('.parley-entry');
  }, 60_000);

  test('shows nothing of the user who was logged in before', async () => {
    const context = await browser.newContext();
    const first = await host.open(context);
    await first.page.waitForSelector('.parley-entry');
    await first.page.close();
    host.user = 'linus';
    const { page } = await host.open(context);
    await page.waitForSelector('.parley-conversations .parley-empty:has-text("No conversations yet.")');
    expect(await page.locator('.parley-entry').count()).toBe(0);
  }, 60_000);

  test('removes what is on the device when its page logs the user out', async () => {
    const { page } = await host.open(browser);
    await page.click('.parley-entry');
    await page.fill('textarea', 'A draft');
    await page.evaluate(`document.querySelector('parley-chat').logout()`);
    await page.waitForSelector('parley-chat [role=alert]:has-text("You are not logged in.")');
    expect(await page.evaluate(`Object.keys(localStorage)`)).toEqual([]);
  }, 60_000);

  test('survives being moved in its page, and ends with its element', async () => {
    const { page, complaints } = await host.open(browser);
    await page.waitForSelector('.parley-entry');
    await page.evaluate(`document.body.append(document.querySelector('parley-chat'))`);
    await page.click('.parley-entry');
    await page.waitForSelector('textarea');
    await page.evaluate(`document.querySelector('parley-chat').remove()`);
    await page.evaluate(`document.body.append(document.createElement('parley-chat'))`);
    await page.waitForSelector('[role=alert]:has-text("This chat has no platform")');
    expect(complaints.filter((line) => !line.startsWith('parley-chat: '))).toEqual([]);
  }, 60_000);
});

describeWith('chromium', 'a platform that allows other pages alone', () => {
  let own: OwnPlatform;

  beforeAll(async () => {
    const env = { gateway: { PARLEY_ALLOWED_ORIGINS: 'https://elsewhere.example' } };
    own = await ownPlatform({ env });
  }, 120_000);
  afterAll(() => own?.stop());

  test('has the chat say so', async () => {
    const page = await startHostPage(await createApp(own), 'ada');
    const opened = await startBrowser();
    const { page: shown } = await page.open(opened);
    await shown.waitForSelector('[role=alert]:has-text("The application does not allow pages of")');
    await opened.close();
    page.close();
  }, 60_000);
});
