import path from 'node:path';
import { findChromium } from '@parley/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { startPages, type TestPages } from '../../../packages/client/test/browser/pages.ts';
import type { Bench } from '../bench.ts';
import type { Figures } from '../stats.ts';

const PAGE = path.resolve(import.meta.dirname, '../../../packages/client/test/browser/pages/bench.ts');

/** Functions of the page. */
type BenchPage = {
  parley: {
    fill(size: Size): Promise<void>;
    apply(count: number): Promise<number>;
    open(conversations: number): Promise<number>;
  };
};
type Size = { conversations: number; messages: number };

/** The library with IndexedDB in a headless Chromium; nothing where there is none. */
export async function inBrowser(bench: Bench, scale: number): Promise<Figures[]> {
  if (!findChromium()) return [];
  const pages = await startPages({ module: PAGE });
  try {
    return [
      await applied(bench, pages, 10_000 * scale),
      await opened(bench, pages, { conversations: 1_000 * scale, messages: 50_000 * scale }),
    ];
  } finally {
    await pages.close();
  }
}

/** A page whose store is filled, and that has done nothing yet. */
async function filled(pages: TestPages, size: Size): Promise<{ context: BrowserContext; opened: Page }> {
  const context = await pages.context();
  const first = await pages.open(context);
  await first.evaluate((given) => (globalThis as unknown as BenchPage).parley.fill(given), size);
  await first.close();
  return { context, opened: await pages.open(context) };
}

async function applied(bench: Bench, pages: TestPages, count: number): Promise<Figures> {
  const { context, opened } = await filled(pages, { conversations: 50, messages: 0 });
  let ms = 0;
  const figures = await bench.measure('client: packets applied, IndexedDB in Chromium', count, async () => {
    ms = await opened.evaluate((given) => (globalThis as unknown as BenchPage).parley.apply(given), count);
    return [];
  });
  await context.close();
  return { ...figures, note: `${Math.round((count / ms) * 1000).toLocaleString('en')} a second` };
}

async function opened(bench: Bench, pages: TestPages, size: Size): Promise<Figures> {
  const { context, opened: page } = await filled(pages, size);
  let ms = 0;
  const figures = await bench.measure('client: first list, IndexedDB in Chromium', 1, async () => {
    ms = await page.evaluate(
      (given) => (globalThis as unknown as BenchPage).parley.open(given),
      size.conversations,
    );
    return [];
  });
  await context.close();
  const note = `${Math.round(ms)} ms for ${size.conversations} conversations, ${size.messages} messages`;
  return { ...figures, note };
}
