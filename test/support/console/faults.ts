import type { Page } from 'playwright-core';
import { violationsOf } from '../site/inspect.ts';
import { axeSource } from '../site/pages.ts';
import { until } from '../until.ts';

const PHONE = { width: 390, height: 844 };

/** Whether a page has taken over the dark theme, and no colour is changing. Runs in the page. */
const IS_DARK = `document.documentElement.dataset.mantineColorScheme === 'dark' &&
  document.getAnimations().every(({ playState }) => playState !== 'running')`;

/** Faults that axe finds in both themes, and a page that is too wide for a phone. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource());
  const light = await violationsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await until('the page is dark', async () => (await page.evaluate(IS_DARK)) || undefined);
  const dark = await violationsOf(page, ['color-contrast']);
  await page.setViewportSize(PHONE);
  // The navigation slides away first.
  const width = await until('the page has the width of the phone', async () => {
    const found: unknown = await page.evaluate('document.documentElement.scrollWidth');
    return found === PHONE.width ? found : undefined;
  }).catch(() => page.evaluate('document.documentElement.scrollWidth'));
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  return [
    ...light,
    ...dark,
    ...(width === PHONE.width ? [] : [`a phone would scroll sideways: ${String(width)}`]),
  ];
}
