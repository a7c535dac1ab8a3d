import { describeWith } from '@parley/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createApp, type TestApp, type TestUser } from '../../support/app.ts';
import { startHostPage, type HostPage } from '../../support/library/host-page.ts';
import { buildLibrary } from '../../support/library/library.ts';
import { startBrowser } from '../../support/library/page.ts';
import { platform } from '../../support/platform.ts';
import { axeSource } from '../../support/site/pages.ts';
import { until } from '../../support/until.ts';

// The components as pages get them, in the element <parley-chat>.

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SHADOW = `document.querySelector('parley-chat').shadowRoot`;
const EARLIER = 130;

let app: TestApp;
let grace: TestUser;
let conversation: string;
let browser: Browser;
let host: HostPage;

describeWith('chromium', 'the components', () => {
  beforeAll(async () => {
    buildLibrary();
    app = await createApp(await platform());
    browser = await startBrowser();
    grace = await app.login('grace');
    const ada = await app.login('ada');
    const body = { participants: ['ada', 'grace'], distinct: true };
    ({ id: conversation } = (await ada.call('POST', '/conversations', 201, { body })).body);
    for (let count = 1; count <= EARLIER; count++)
      await say(`Message ${count} ${'of many words '.repeat(count % 9)}`);
    host = await startHostPage(app, 'ada');
  }, 120_000);
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  afterAll(async () => {
    host?.close();
    await browser?.close();
  });

  function say(text: string) {
    const path = `/conversations/${conversation.slice(conversation.lastIndexOf('/') + 1)}/messages`;
    return grace.call('POST', path, 201, { body: { parts: [{ mime_type: 'text/plain', body: text }] } });
  }

  async function open(options: BrowserContextOptions = {}, attributes: Record<string, string> = {}) {
    const opened = await host.open(await browser.newContext(options), { conversation, ...attributes });
    await opened.page.waitForSelector('.parley-row .parley-text');
    return opened;
  }

  // It runs before the tests that send pictures: the height of a picture is not known before it is loaded, so it shifts what is below.
  test('shift little while they open, messages arrive, and the user scrolls to the oldest one', async () => {
    const context = await browser.newContext();
    await context.addInitScript(`window.shifts = []; new PerformanceObserver((list) => {
      for (const { value, startTime, hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput) window.shifts.push({ value, at: startTime, of: sources.map(({ node }) => node?.className) });
    }).observe({ type: 'layout-shift', buffered: true })`);
    const { page } = await host.open(context, { conversation });
    await page.waitForSelector('.parley-row .parley-text');
    await say('One more');
    await page.waitForSelector('.parley-text:has-text("One more")');
    await page.mouse.move(400, 300);
    await until('the oldest message is there', async () => {
      await page.mouse.wheel(0, -700);
      return (await page.locator('.parley-text:has-text("Message 1 of many")').count()) > 0 || undefined;
    });
    const shifts = await page.evaluate<Shift[]>(`window.shifts`);
    expect([cumulativeShift(shifts) <= 0.05, shifts]).toEqual([true, shifts]);
  }, 60_000);

  test('send with Enter, begin a line with Shift and Enter, and leave Enter to a method of input', async () => {
    const { page } = await open();
    await page.fill('textarea', 'One');
    await page.press('textarea', 'Shift+Enter');
    await page.keyboard.type('two');
    await page.evaluate(`${SHADOW}.querySelector('textarea').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, composed: true }))`);
    expect(await page.inputValue('textarea')).toBe('One\ntwo');
    await page.press('textarea', 'Enter');
    expect(await page.inputValue('textarea')).toBe('');
    const sent = page.locator('[data-own][data-state=sent] .parley-text').last();
    await sent.waitFor();
    expect(await sent.innerText()).toBe('One\ntwo');
  }, 60_000);

  test('keep a draft over a reload until it is sent, and name it in the list', async () => {
    const { page } = await host.open(await browser.newContext());
    await page.click('.parley-entry');
    await page.fill('textarea', 'Not yet said');
    await page.reload();
    await page.waitForSelector('.parley-preview:has-text("Draft: Not yet said")');
    await page.click('.parley-entry');
    expect(await page.inputValue('textarea')).toBe('Not yet said');
    await page.press('textarea', 'Enter');
    await page.waitForSelector('[data-own][data-state=sent] .parley-text:has-text("Not yet said")');
    await page.reload();
    await page.waitForSelector('.parley-preview:has-text("You: Not yet said")');
  }, 60_000);

  test('take files by the button, by paste and by drop, show how far they are, and send them with a text', async () => {
    const { page, complaints } = await open();
    const network = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', slow);
    await page.setInputFiles('input[type=file]', { name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
    await give(page, 'paste', { name: 'pasted.txt', type: 'text/plain', size: 300_000 });
    await page.waitForSelector('.parley-staged progress[aria-label*="pasted.txt: "]');
    await give(page, 'drop', { name: 'dropped.bin', type: 'application/octet-stream', size: 10 });
    const staged = page.locator('.parley-staged li');
    await until('three files wait', async () => (await staged.count()) === 3 || undefined);
    await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await page.waitForSelector('.parley-staged li[data-upload=done]:has-text("dropped.bin")');
    await page.click('button[aria-label="Remove dropped.bin"]');
    await page.fill('textarea', 'Two files');
    await page.press('textarea', 'Enter');
    await page.waitForSelector('[data-own][data-state=sent]:has-text("Two files") .parley-picture img');
    await page.waitForSelector('[data-own]:has-text("Two files") .parley-file:has-text("pasted.txt")');
    await until('nothing waits', async () => (await staged.count()) === 0 || undefined);
    await page.locator('.parley-picture').last().click();
    await page.waitForSelector('dialog[open] img');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(complaints).toEqual([]);
  }, 90_000);

  /** Pastes or drops a file, as a browser does. */
  function give(page: Page, how: 'paste' | 'drop', file: { name: string; type: string; size: number }) {
    return page.evaluate(`{
      const { name, type, size } = ${JSON.stringify(file)};
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(size)], name, { type }));
      const field = ${SHADOW}.querySelector('textarea');
      const bubbling = { bubbles: true, composed: true, cancelable: true };
      field.dispatchEvent(
        '${how}' === 'paste'
          ? new ClipboardEvent('paste', { ...bubbling, clipboardData: data })
          : new DragEvent('drop', { ...bubbling, dataTransfer: data }),
      );
    }`);
  }

  test('find emoji by name and by arrow keys, and put them where the cursor is', async () => {
    const { page } = await open();
    await page.fill('textarea', 'Up  we go');
    await page.evaluate(`${SHADOW}.querySelector('textarea').setSelectionRange(3, 3)`);
    await page.click('button[aria-label=Emoji]');
    await page.fill('[type=search]', 'rocket');
    await page.keyboard.press('Tab');
    for (let steps = 0; steps < 12; steps++) {
      if ((await focused(page)) === 'rocket') break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    expect(await page.inputValue('textarea')).toBe('Up 🚀 we go');
    await page.click('button[aria-label=Emoji]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.parley-emoji-picker', { state: 'detached' });
    expect(await focused(page)).toBe('Emoji');
    await page.fill('textarea', '');
  }, 60_000);

  /** Label or text of the element that has the focus. */
  function focused(page: Page): Promise<string> {
    const active = `${SHADOW}.activeElement`;
    return page.evaluate(`${active}?.getAttribute('aria-label') ?? ${active}?.textContent ?? ''`);
  }

  test('are used with the keyboard alone', async () => {
    const { page } = await host.open(await browser.newContext());
    await page.waitForSelector('.parley-entry');
    await page.locator('.parley-entry').focus();
    await page.keyboard.press('Enter');
    await page.locator('.parley-row').nth(1).waitFor();
    await page.locator('[role=feed]').focus();
    await page.keyboard.press('PageUp');
    const role = () => page.evaluate(`${SHADOW}.activeElement?.role`);
    await page.keyboard.press('PageUp');
    expect(await role()).toBe('article');
    const before = await focused(page);
    await page.keyboard.press('PageDown');
    expect(await focused(page)).not.toBe(before);
    await page.locator('button[aria-label=Details]').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.parley-details');
    await page.locator('.parley-details button').first().focus();
    await page.keyboard.press('Escape');
    await page.waitForSelector('.parley-details', { state: 'detached' });
    await page.locator('button[aria-label="New conversation"]').focus();
    await page.keyboard.press('Enter');
    await page.locator('[role=combobox]').fill('gra');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.parley-chosen li:has-text("grace")');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
  }, 60_000);

  test.each([
    ['light', 'en'],
    ['dark', 'en'],
    ['light', 'ar'],
    ['dark', 'ar'],
  ] as const)(
    'have no fault that axe finds, in the %s theme and the language %s',
    async (theme, lang) => {
      const { page } = await open({ viewport: { width: 1280, height: 800 } }, { theme, lang });
      await page.locator('.parley-header button').last().click();
      await page.waitForSelector('.parley-details');
      await page.fill('textarea', 'A draft');
      await page.locator('.parley-emoji > button').click();
      await page.waitForSelector('.parley-emoji-picker');
      expect(await faultsOf(page)).toEqual([]);
      await page.fill('textarea', '');
    },
    60_000,
  );

  test('have no fault that axe finds in the list and its dialog', async () => {
    const { page } = await host.open(await browser.newContext());
    await page.waitForSelector('.parley-entry');
    expect(await faultsOf(page)).toEqual([]);
    await page.click('button[aria-label="New conversation"]');
    await page.locator('[role=combobox]').fill('gra');
    await page.waitForSelector('[role=option]');
    expect(await faultsOf(page)).toEqual([]);
  }, 60_000);

  async function faultsOf(page: Page): Promise<string[]> {
    await page.evaluate(axeSource());
    return page.evaluate(`axe.run('parley-chat').then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ' ' + JSON.stringify(target) + ' ' + failureSummary)))`);
  }

  test('read out what others write', async () => {
    const { page } = await open();
    await say('Did you hear?');
    await page.waitForSelector('[role=log]:has-text("grace: Did you hear?")', { state: 'attached' });
    expect(await page.locator('[role=log]').getAttribute('aria-live')).toBe('polite');
  }, 60_000);

  test.each([
    ['reduce', 0],
    ['no-preference', 3],
  ] as const)(
    'move as many things while somebody types as the user wants: %s, %d',
    async (reducedMotion, count) => {
      const { page } = await open({ reducedMotion });
      const socket = await grace.connect();
      await until('grace types', async () => {
        socket.signal({
          type: 'typing_indicator',
          object: { id: conversation },
          data: { action: 'started' },
        });
        return (await page.locator('.parley-typing:has-text("grace is typing")').count()) > 0 || undefined;
      });
      expect(await page.evaluate(`${SHADOW}.getAnimations().length`)).toBe(count);
      await socket.close();
    },
    60_000,
  );
});

type Shift = { value: number; at: number; of: string[] };

/** The largest sum of shifts in one burst, as https://web.dev/articles/cls counts: a second apart at most, and within five seconds. */
function cumulativeShift(shifts: readonly Shift[]): number {
  let largest = 0;
  let sum = 0;
  let [began, last] = [-Infinity, -Infinity];
  for (const { value, at } of shifts) {
    if (at - last > 1000 || at - began > 5000) [sum, began] = [0, at];
    last = at;
    sum += value;
    largest = Math.max(largest, sum);
  }
  return largest;
}
