import { describeWith, findChromium } from '@parley/testing';
import { chromium, type Browser } from 'playwright-core';
import { createApp, textPart, uuidOf, type Platform, type TestApp } from '../../support/app.ts';
import {
  buildConsole,
  openConsole,
  signInPath,
  untilSettled,
  type ConsoleWindow,
} from '../../support/console/console.ts';
import { faultsOf } from '../../support/console/faults.ts';
import { platform } from '../../support/platform.ts';

const CASE_MS = 180_000;
const HOUR_MS = 3_600_000;

describeWith('chromium', 'the charts of the console', () => {
  let here: Platform;
  let browser: Browser;
  let owner: ConsoleWindow;
  let app: TestApp;

  beforeAll(async () => {
    buildConsole();
    here = await platform();
    browser = await chromium.launch({
      executablePath: findChromium() ?? '',
      args: ['--no-sandbox', '--headless'],
    });
    app = await createApp(here, 'Idle');
    owner = await openConsole(browser, here);
    await owner.open(await signInPath(here));
    await owner.untilTitled('Overview');
  }, CASE_MS);
  afterAll(() => browser?.close());

  test(
    'they follow what is counted, in both spans and as a table, at an address of their own',
    async () => {
      await owner.open(`/console/apps/${app.appUuid}`);
      await owner.untilText('Nothing was counted in the last hour');
      await app.login('ada');
      const body = { participants: ['ada'] };
      const { id } = (await app.server('POST', '/conversations', 201, { body })).body;
      const message = { body: { sender_id: 'ada', parts: [textPart('counted')] } };
      await app.server('POST', `/conversations/${uuidOf(id)}/messages`, 201, message);
      const messages = owner.page.getByRole('img', { name: /^Messages, stored, by the minute/ });
      await messages.waitFor();
      expect(await owner.page.locator('.chart').count()).toBe(6);
      expect(await faultsOf(owner.page)).toEqual([]);
      await owner.page.getByText('Last day', { exact: true }).click();
      await owner.page.getByText('Table', { exact: true }).click();
      const header = owner.page.getByRole('columnheader', { name: 'Messages' });
      await header.waitFor();
      expect(new URL(owner.page.url()).search).toBe('?span=day&view=table');
      expect(await faultsOf(owner.page)).toEqual([]);
      await owner.page.reload();
      await header.waitFor();
      await owner.open('/console/?span=day');
      await untilSettled(owner.page);
      await messages.waitFor();
      await owner.page.locator('.chart-plot').first().hover();
      await owner.page.locator('.chart-cursor').waitFor({ state: 'attached' });
      expect(owner.complaints).toEqual([]);
    },
    CASE_MS,
  );

  test.each([2, -2])(
    'they are drawn in a browser whose clock is %d hours ahead',
    async (hours) => {
      await app.login('ada');
      const page = await owner.page.context().newPage();
      await page.clock.install({ time: Date.now() + hours * HOUR_MS });
      await page.goto(`${here.baseUrl}/console/apps/${app.appUuid}`);
      await page.getByRole('img', { name: /^Active users/ }).waitFor();
      await page.close();
    },
    CASE_MS,
  );
});
