import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform, type Platform } from '@parley/stack/platform';
import { describeWith, findChromium, freePort } from '@parley/testing';
import { chromium, type Browser } from 'playwright-core';
import { inspectPages, untilShown, type Inspected } from '../../support/site/inspect.ts';
import { buildSite, listPages } from '../../support/site/pages.ts';

const REST = '/docs/rest/';

describeWith('chromium', 'the documentation', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-site-'));
  let running: Platform;
  let browser: Browser;
  let pages: Inspected[];

  beforeAll(async () => {
    buildSite();
    const [started, opened] = await Promise.all([
      freePort().then((free) => startPlatform({ dataDir, port: free, durable: false, site: true })),
      chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--headless'] }),
    ]);
    running = started;
    browser = opened;
    pages = await inspectPages(browser, { baseUrl: running.baseUrl, paths: listPages() });
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    await running?.discard();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Faults, with their pages. */
  const faults = (of: (page: Inspected) => string[]) =>
    pages.flatMap((page) => of(page).map((one) => `${page.path} ${one}`));

  test('every page loads without an error, and asks nothing of another host', () => {
    expect(pages.length).toBeGreaterThan(60);
    expect(faults(({ complaints }) => complaints)).toEqual([]);
  });

  test('axe finds no violation in the light or in the dark', () => {
    expect(faults(({ violations }) => violations)).toEqual([]);
  });

  test('every link within the host leads to a page, and to an anchor that is there', async () => {
    const anchors = new Map(pages.map((page) => [page.path, new Set(page.anchors)]));
    const others = new Set<string>();
    function isDead(from: string, link: string): boolean {
      const { pathname, hash, origin } = new URL(link);
      const known = anchors.get(pathname);
      if (!known) others.add(origin + pathname);
      // The reference of the REST API makes its sections when they are reached.
      if (!known || (from === REST && pathname === REST)) return false;
      return hash !== '' && !known.has(decodeURIComponent(hash.slice(1)));
    }
    expect(faults(({ path: from, links }) => links.filter((link) => isDead(from, link)))).toEqual([]);
    for (const link of others) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    expect(others.size).toBeGreaterThan(0);
  });

  test('the search finds a page', async () => {
    const page = await browser.newPage();
    await page.goto(`${running.baseUrl}/docs/`);
    await untilShown(page);
    await page.keyboard.press('Control+k');
    await page.fill('#localsearch-input', 'replay after a gap');
    await page.waitForSelector('#localsearch-list >> text=Live changes');
    await page.close();
  });

  test('a request can be tried as a user of the demonstration application', async () => {
    const page = await browser.newPage();
    await page.goto(`${running.baseUrl}${REST}#tag/conversations/GET/conversations`);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForSelector('text=Logged in as ada.');
    await page.getByRole('button', { name: /Test Request\s*\(get \/conversations\)$/ }).click();
    const answered = page.waitForResponse(
      (response) => new URL(response.url()).pathname === '/conversations',
    );
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect((await answered).status()).toBe(200);
    await page.close();
  });
});
