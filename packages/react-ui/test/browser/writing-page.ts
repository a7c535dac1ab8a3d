import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startPages, type TestPages } from '../../../client/test/browser/pages.ts';
import type * as writing from './pages/writing.tsx';

type WritingWindow = { parley: typeof writing };

const PAGE = path.join(import.meta.dirname, 'pages/writing.tsx');
const STYLE = readFileSync(path.resolve(import.meta.dirname, '../../src/style.css'), 'utf8');

export function startWritingPages(): Promise<TestPages> {
  return startPages({ module: PAGE });
}

/** Shows a conversation of three messages in a page of its own. */
export async function openWriting(pages: TestPages, options: writing.Start = {}): Promise<Page> {
  const page = await pages.open(await pages.context());
  await page.setViewportSize({ width: 800, height: 700 });
  await page.addStyleTag({ content: `${STYLE}\nbody { margin: 0 } main { height: 100vh }` });
  await page.evaluate((given) => (window as never as WritingWindow).parley.start(given), options);
  await page.waitForSelector('.parley-text:has-text("Message 3")');
  return page;
}

/** Calls a function of the page's module. */
export function call<Name extends keyof typeof writing>(
  page: Page,
  name: Name,
  ...given: Parameters<(typeof writing)[Name]>
): Promise<ReturnType<(typeof writing)[Name]>> {
  return page.evaluate(
    ([called, values]) => {
      const act = (window as never as WritingWindow).parley[called] as (...all: unknown[]) => unknown;
      return act(...(values as unknown[]));
    },
    [name, given] as const,
  ) as Promise<ReturnType<(typeof writing)[Name]>>;
}

/** The requests of the page so far that contain a text. */
export function requested(page: Page, text: string): Promise<string[]> {
  return call(page, 'requested', text);
}

/** Resolves with the details of the conversation. */
export async function openDetails(page: Page) {
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.locator('.parley-details');
  await details.waitFor();
  return details;
}
