import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@parley/testing';
import type { Page } from 'playwright-core';
import { startPages, type TestPages } from '../../../client/test/browser/pages.ts';
import { until } from '../../../../test/support/until.ts';
import type * as history from './pages/history.tsx';

type HistoryWindow = { parley: typeof history };

const PAGE = path.join(import.meta.dirname, 'pages/history.tsx');
const STYLE = readFileSync(path.resolve(import.meta.dirname, '../../src/style.css'), 'utf8');
const LONG = 20_000;

describeWith('chromium', 'a long history', () => {
  let pages: TestPages;

  beforeAll(async () => {
    pages = await startPages({ module: PAGE });
  }, 60_000);
  afterAll(() => pages?.close());

  async function open(count: number): Promise<Page> {
    const page = await pages.open(await pages.context());
    await page.setViewportSize({ width: 800, height: 700 });
    await page.addStyleTag({ content: `${STYLE}\nbody { margin: 0 } main { height: 100vh }` });
    await page.evaluate((n) => (window as never as HistoryWindow).parley.start(n), count);
    await page.waitForSelector(`.parley-text:has-text("${count} ")`);
    return page;
  }

  test('of 20,000 messages has at most 100 rows in the page, all the way up', async () => {
    const page = await open(LONG);
    const journey = await page.evaluate(
      (pixels) => (window as never as HistoryWindow).parley.scrollUpTo('1 ', pixels),
      4_000,
    );
    expect(journey.mostRows).toBeLessThanOrEqual(100);
    expect(journey.mostRows).toBeGreaterThan(10);
    expect(pages.complaints).toEqual([]);
  }, 300_000);

  test('follows what comes at its end, and keeps its place elsewhere with a line and a button', async () => {
    const page = await open(200);
    const isAtEnd = () => page.evaluate(() => (window as never as HistoryWindow).parley.isAtEnd());
    await until('it begins at the newest message', async () => (await isAtEnd()) || undefined);
    await page.evaluate(() => (window as never as HistoryWindow).parley.receive('The first one'));
    await page.waitForSelector('.parley-text:has-text("The first one")');
    await until('it follows', async () => (await isAtEnd()) || undefined);
    expect(await page.locator('.parley-jump').count()).toBe(0);

    await page.mouse.move(400, 350);
    await page.mouse.wheel(0, -1_500);
    await page.waitForSelector('.parley-jump');
    const tell = () => page.evaluate(() => (window as never as HistoryWindow).parley.place());
    await until('the place is settled', async () => {
      const [one, other] = [await tell(), await tell()];
      return one.text === other.text && one.top === other.top ? true : undefined;
    });
    const before = await tell();
    for (const text of ['The second one', 'The third one'])
      await page.evaluate((said) => (window as never as HistoryWindow).parley.receive(said), text);
    await page.waitForSelector('.parley-jump:has-text("2 new messages")');
    expect(await tell()).toEqual(before);
    expect(await page.locator('[role=log]').textContent()).toContain('The third one');

    await page.click('.parley-jump');
    await until('it is at the end', async () => (await isAtEnd()) || undefined);
    await page.waitForSelector('.parley-row:has-text("The second one") .parley-line');
    await page.waitForSelector('.parley-jump', { state: 'detached' });
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('marks nothing as read and shows it as new while nobody sees it, and reads it when it is seen', async () => {
    const page = await open(200);
    const marks = () =>
      page.evaluate(() => (window as never as HistoryWindow).parley.requested('/mark_all_read'));
    const hide = (isHidden: boolean) =>
      page.evaluate((value) => (window as never as HistoryWindow).parley.hide(value), isHidden);
    await hide(true);
    await page.evaluate(() => (window as never as HistoryWindow).parley.receive('In the hidden chat'));
    await page.waitForSelector('.parley-text:has-text("In the hidden chat")', { state: 'attached' });
    await hide(true);
    expect(await marks()).toBe(0);
    await hide(false);
    await until('it is read', async () => ((await marks()) === 1 ? true : undefined));
    expect(await page.locator('.parley-row:has-text("In the hidden chat") .parley-line').count()).toBe(1);

    await page.evaluate(() => document.querySelector('main')?.style.setProperty('margin-top', '90vh'));
    const top = () => page.evaluate(() => document.querySelector('main')?.getBoundingClientRect().top ?? 0);
    await until('it is below the fold', async () => ((await top()) > 500 ? true : undefined));
    await hide(false);
    await page.evaluate(() => (window as never as HistoryWindow).parley.receive('Below the fold'));
    await page.waitForSelector('.parley-text:has-text("Below the fold")', { state: 'attached' });
    await hide(false);
    expect(await marks()).toBe(1);
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight }));
    await until('it is read', async () => ((await marks()) === 2 ? true : undefined));
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('is not read while it is hidden, and is where it was when it is shown again', async () => {
    const page = await open(LONG);
    await page.mouse.move(400, 350);
    await page.mouse.wheel(0, -1_100);
    await page.waitForSelector('.parley-jump');
    const told = () =>
      page.evaluate(() => {
        const { place, requested, rows } = (window as never as HistoryWindow).parley;
        return { text: place().text, pages: requested('/messages'), rows: rows() };
      });
    const hide = (isHidden: boolean) =>
      page.evaluate((value) => (window as never as HistoryWindow).parley.hide(value), isHidden);
    const before = await until('the place is settled', async () => {
      const one = await told();
      await hide(false);
      const { text, pages: read, rows } = await told();
      return one.text === text && one.pages === read && one.rows === rows ? one : undefined;
    });
    await hide(true);
    await page.evaluate(() => (window as never as HistoryWindow).parley.receive('In the hidden chat'));
    await hide(true);
    const hidden = await told();
    expect(hidden.pages).toBe(before.pages);
    expect(hidden.rows).toBeLessThanOrEqual(before.rows + 1);
    await hide(false);
    expect((await told()).text).toBe(before.text);
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test.each([
    ['the composer', '.parley-entry', 'textarea'],
    ['the picker of users', 'button[aria-label="New conversation"]', '[role=combobox]'],
  ])(
    'leaves Enter to an input method in %s',
    async (_name, opener, selector) => {
      const page = await pages.open(await pages.context());
      await page.evaluate(() => (window as never as HistoryWindow).parley.start(1, { isListed: true }));
      await page.click(opener);
      await page.fill(selector, 'にほん');
      const takes = (press: { isComposing?: boolean; keyCode?: number }) =>
        page.evaluate(([field, keys]) => (window as never as HistoryWindow).parley.takesEnter(field, keys), [
          selector,
          press,
        ] as const);
      expect(await takes({ isComposing: true })).toBe(false);
      expect(await takes({ keyCode: 229 })).toBe(false);
      expect(await takes({ keyCode: 13 })).toBe(true);
    },
    60_000,
  );

  test('has its rows below each other in a page that shows it smaller', async () => {
    const page = await open(200);
    await page.addStyleTag({ content: 'main { transform: scale(0.5); transform-origin: 0 0 }' });
    await page.evaluate(() => (window as never as HistoryWindow).parley.receive('A small one'));
    await page.waitForSelector('.parley-text:has-text("A small one")');
    const gaps = await page.evaluate(() => (window as never as HistoryWindow).parley.gaps());
    expect(gaps.length).toBeGreaterThan(10);
    for (const gap of gaps) expect(Math.abs(gap)).toBeLessThan(0.5);
    expect(pages.complaints).toEqual([]);
  }, 60_000);
});
