// Pictures of pages of a running platform, in both themes and the width of a phone:
// `node test/support/site/screenshots.ts <address of the platform> <folder> <path> …`, such as `/docs/guides/quick-start/`.
import path from 'node:path';
import { findChromium } from '@parley/testing';
import { chromium } from 'playwright-core';
import { untilShown } from './inspect.ts';

const [baseUrl = '', folder = '', ...paths] = process.argv.slice(2);
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: ['--no-sandbox', '--headless'],
});
for (const colorScheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const page = await browser.newPage({ colorScheme, viewport });
    for (const at of paths) {
      await page.goto(baseUrl + at);
      await untilShown(page);
      const name = at.replaceAll('/', ' ').trim().replaceAll(' ', '-');
      await page.screenshot({
        path: path.join(folder, `${name}-${colorScheme}-${size}.png`),
        animations: 'disabled',
      });
    }
    await page.close();
  }
}
await browser.close();
