// Pictures of every page of the console of a running platform, in both themes and the width of a phone, with data of their own:
// `npx node test/support/console/screenshots.ts <state.json of the platform> <folder>`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findChromium } from '@parley/testing';
import { chromium } from 'playwright-core';
import { buildConsole, openConsole, signInPath, untilSettled } from './console.ts';
import { fillWithData } from './data.ts';
import { PAGES, pathOf } from './pages.ts';

const [stateFile = '', folder = ''] = process.argv.slice(2);
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

const { base_url: baseUrl, admin_token: adminToken } = JSON.parse(readFileSync(stateFile, 'utf8')) as {
  base_url: string;
  admin_token: string;
};
const platform = { baseUrl, adminToken };
buildConsole();
const { ids, stop } = await fillWithData(platform);
const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: ['--no-sandbox', '--headless'],
});
const { page, open, untilTitled } = await openConsole(browser, platform);
await open('/console/');
await page.getByRole('heading', { name: 'Parley console' }).waitFor();
await picture('sign-in');
await open(await signInPath(platform));
await untilTitled('Overview');
for (const [name, at] of Object.entries(PAGES)) {
  const address = pathOf(at, ids);
  if (address === undefined) continue;
  await open(address);
  await untilSettled(page);
  await picture(name);
}
await browser.close();
await stop();

async function picture(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const file = path.join(folder, `${name}-${colorScheme}-${size}.png`);
      await page.screenshot({ path: file, animations: 'disabled', fullPage: size === 'phone' });
    }
  }
}
