// Scrolls the lists of users and of conversations of a running platform to row 100,000, which are inserted by SQL, and prints what that took:
// `npx node test/support/console/scroll.ts <state.json of the platform>`.
import { readFileSync } from 'node:fs';
import { findChromium } from '@parley/testing';
import { chromium } from 'playwright-core';
import { createApp } from '../app.ts';
import { buildConsole, openConsole, signInPath } from './console.ts';
import { insertConversations, insertUsers, scrollToRow } from './long-lists.ts';

const ROWS = 100_000;
const LAST = 'user-100000';
const TENTH = 10;

const state = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  base_url: string;
  admin_token: string;
  postgres_url: string;
};
const platform = { baseUrl: state.base_url, adminToken: state.admin_token };
buildConsole();
const { appUuid } = await createApp(platform, 'Long lists');
await insertUsers(databaseUrl, appUuid, ROWS);
await insertConversations(databaseUrl, appUuid, ROWS);
const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: ['--no-sandbox', '--headless'],
});
const { page, open, untilTitled } = await openConsole(browser, platform);
const devtools = await page.context().newCDPSession(page);
await devtools.send('Performance.enable');
await open(await signInPath(platform));
await untilTitled('Overview');
for (const list of ['users', 'conversations']) {
  await open(`/console/apps/${appUuid}/${list}`);
  await page.getByRole('row').nth(1).waitFor();
  const before = await heapMegabytes();
  const startedAt = Date.now();
  const { mostRows, readMs } = await scrollToRow(page, LAST);
  const tenth = Math.ceil(readMs.length / TENTH);
  console.log({
    list,
    rows: ROWS,
    seconds: (Date.now() - startedAt) / 1_000,
    requests: readMs.length,
    mostRowsInPage: mostRows,
    readMs: { firstTenth: mean(readMs.slice(0, tenth)), lastTenth: mean(readMs.slice(-tenth)) },
    heapMegabytes: { before, after: await heapMegabytes() },
  });
}
await browser.close();

function databaseUrl(database: string): Promise<string> {
  const url = new URL(state.postgres_url);
  url.pathname = `/${database}`;
  return Promise.resolve(url.href);
}

/** Memory of the page's scripts. */
async function heapMegabytes(): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const bytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  return Math.round(bytes / 1e5) / 10;
}

function mean(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
