import { describeWith, findChromium } from '@parley/testing';
import { chromium, type Browser } from 'playwright-core';
import { createApp, type Platform } from '../../support/app.ts';
import { buildConsole, openConsole, signInPath, type ConsoleWindow } from '../../support/console/console.ts';
import { fillWithData, type ConsoleData } from '../../support/console/data.ts';
import { insertUsers, scrollToRow, scrollToTop } from '../../support/console/long-lists.ts';
import { PAGES, pathOf } from '../../support/console/pages.ts';
import { platform, postgresUrl } from '../../support/platform.ts';

const CASE_MS = 300_000;

describeWith('chromium', 'lists of the console', () => {
  let here: Platform;
  let browser: Browser;
  let data: ConsoleData;
  let owner: ConsoleWindow;

  beforeAll(async () => {
    buildConsole();
    here = await platform();
    [browser, data] = await Promise.all([
      chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--headless'] }),
      fillWithData(here),
    ]);
    owner = await openConsole(browser, here);
    await owner.open(await signInPath(here));
    await owner.untilTitled('Overview');
  }, CASE_MS);
  afterAll(async () => {
    await browser?.close();
    await data?.stop();
  });

  test(
    'a list is scrolled to its end while the page keeps the rows in sight alone, and back to its beginning',
    async () => {
      const { appUuid } = await createApp(here, 'Crowd');
      await insertUsers(postgresUrl, appUuid, 20_000);
      await owner.open(`/console/apps/${appUuid}/users`);
      const { mostRows } = await scrollToRow(owner.page, 'user-020000');
      expect(mostRows).toBeLessThan(60);
      await scrollToTop(owner.page);
      await owner.page.getByRole('link', { name: 'user-000001', exact: true }).waitFor();
      await owner.fill('Beginning of a user id', 'user-0199');
      await owner.page.getByRole('link', { name: 'user-019900', exact: true }).waitFor();
      expect(new URL(owner.page.url()).search).toBe('?q=user-0199');
    },
    CASE_MS,
  );

  test(
    'tables are filtered by texts in the address of the page',
    async () => {
      const filters = [
        { page: 'user', search: '?sessions=none', shown: 'The user is logged in nowhere' },
        { page: 'webhook', search: '?status=dead&q=Message', shown: 'There is no such delivery' },
        { page: 'webhook', search: '?q=created', shown: 'Message.created' },
        { page: 'keys', search: '?q=none', shown: 'No key matches the filter' },
        { page: 'audit-of-application', search: '?q=provider.', shown: 'provider.created' },
        { page: 'audit-of-application', search: '?q=none', shown: 'No entry matches' },
        { page: 'account', search: '?q=one-time', shown: 'this one' },
        { page: 'account', search: '?q=none', shown: 'Nothing matches the filter' },
      ] as const;
      for (const { page, search, shown } of filters) {
        await owner.open(pathOf(PAGES[page], data.ids) + search);
        await owner.untilText(shown);
      }
    },
    CASE_MS,
  );
});
