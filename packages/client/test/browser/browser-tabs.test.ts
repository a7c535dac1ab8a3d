import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { describeWith } from '@parley/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../../../../test/support/until.ts';
import { startPages, type TestPages } from './pages.ts';
import type * as tabs from './pages/tabs.ts';

declare global {
  interface Window {
    parley: typeof tabs;
  }
}

describeWith('chromium', 'tabs of a browser', () => {
  let pages: TestPages;
  let context: BrowserContext;
  let name: string;

  beforeAll(async () => {
    pages = await startPages({ module: path.join(import.meta.dirname, 'pages/tabs.ts') });
  }, 60_000);
  beforeEach(async () => {
    context = await pages.context();
    name = randomUUID();
  });
  afterEach(() => context.close());
  afterAll(() => pages?.close());

  /** A tab that takes part. */
  async function join(): Promise<Page> {
    const page = await pages.open(context);
    await page.evaluate((name) => window.parley.join(name), name);
    return page;
  }

  const epochOf = (page: Page) => page.evaluate(() => window.parley.state().epoch);
  const untilLeads = (page: Page) => until('the tab leads', () => epochOf(page));

  test('IndexedDB does what a store has to do', async () => {
    const page = await pages.open(context);
    expect(await page.evaluate(() => window.parley.failedChecks())).toEqual([]);
  });

  test('one leads; it runs the commands of all, and posts reach the others', async () => {
    const leader = await join();
    expect(await untilLeads(leader)).toBe(1);
    const follower = await join();
    expect(await follower.evaluate(() => window.parley.ask(7))).toEqual({
      command: 'echo',
      data: 7,
      epoch: 1,
    });
    expect(await leader.evaluate(() => window.parley.ask(8))).toEqual({ command: 'echo', data: 8, epoch: 1 });
    await leader.evaluate(() => window.parley.post({ text: 'hello' }));
    const received = () => follower.evaluate(() => window.parley.state().received);
    await until('the post has arrived', async () => ((await received()).length > 0 ? true : undefined));
    expect(await received()).toEqual([{ text: 'hello' }]);
    expect(await epochOf(follower)).toBeUndefined();
  });

  test('when the leader is closed, another one leads, and runs the commands that wait', async () => {
    const leader = await join();
    await untilLeads(leader);
    const follower = await join();
    await leader.close();
    expect(await follower.evaluate(() => window.parley.ask(1))).toMatchObject({ epoch: 2 });
  });

  test('when the leader crashes, another one leads', async () => {
    const leader = await join();
    await untilLeads(leader);
    const follower = await join();
    await leader.goto('chrome://crash').catch(() => undefined);
    expect(await untilLeads(follower)).toBe(2);
  });

  test('a leader whose process stands still is replaced, and follows when it runs again', async () => {
    const leader = await join();
    await untilLeads(leader);
    const follower = await join();
    const pid = await pages.stop(leader);
    expect(await untilLeads(follower)).toBe(2);
    process.kill(pid, 'SIGCONT');
    expect(await leader.evaluate(() => window.parley.ask(1))).toMatchObject({ epoch: 2 });
    await until('the old leader follows', async () => (await epochOf(leader)) === undefined || undefined);
    expect(await leader.evaluate(() => window.parley.write('late', 1))).toBe('stale');
  });

  test('a page that is put to sleep gives the lead away, and takes part again when it wakes', async () => {
    const leader = await join();
    await untilLeads(leader);
    const follower = await join();
    // What Chromium does before it freezes a page; it freezes none that is visible, and each page of a test is.
    await leader.evaluate(() => document.dispatchEvent(new Event('freeze')));
    expect(await untilLeads(follower)).toBe(2);
    await leader.evaluate(() => document.dispatchEvent(new Event('resume')));
    await follower.close();
    expect(await untilLeads(leader)).toBe(3);
  });

  test('a leader that does not answer is replaced, and writes nothing more', async () => {
    const leader = await join();
    await untilLeads(leader);
    const follower = await join();
    const blocked = leader.evaluate(() => {
      window.parley.block(10_000);
      return window.parley.write('late', 1);
    });
    expect(await untilLeads(follower)).toBe(2);
    expect(await blocked).toBe('stale');
    await until('the old leader follows', async () => (await epochOf(leader)) === undefined || undefined);
    expect(await follower.evaluate(() => window.parley.write('mine', 2))).toBe('written');
    expect(await follower.evaluate(() => window.parley.state().epochs)).toEqual([2]);
    expect(pages.complaints).toEqual([]);
  });

  test('a leader that comes to a standstill in the middle of a write does not keep the next one from the store', async () => {
    const leader = await join();
    await untilLeads(leader);
    const follower = await join();
    const pid = await pages.processOf(leader);
    const standing = leader.evaluate(() => window.parley.standStill(1)).catch(() => undefined);
    try {
      expect(await untilLeads(follower)).toBe(2);
      expect(await follower.evaluate(() => window.parley.write('mine', 2))).toBe('written');
      expect(await follower.evaluate(() => window.parley.keys())).toEqual(['mine', 'begun']);
    } finally {
      process.kill(pid, 'SIGKILL');
      await standing;
    }
  });
});
