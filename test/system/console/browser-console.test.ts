import { describeWith, findChromium } from '@parley/testing';
import { startReceiver } from '@parley/testing/doubles/receiver';
import { chromium, type Browser } from 'playwright-core';
import type { Platform } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import {
  buildConsole,
  openConsole,
  signInPath,
  untilSettled,
  type ConsoleWindow,
} from '../../support/console/console.ts';
import { fillWithData, MARKUP, type ConsoleData } from '../../support/console/data.ts';
import { faultsOf } from '../../support/console/faults.ts';
import { PAGES, pathOf } from '../../support/console/pages.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

const CASE_MS = 300_000;

describeWith('chromium', 'the console', () => {
  let here: Platform;
  let browser: Browser;
  let data: ConsoleData;
  let owner: ConsoleWindow;
  let at: (page: keyof typeof PAGES) => Promise<void>;

  beforeAll(async () => {
    buildConsole();
    here = await platform();
    [browser, data] = await Promise.all([
      chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--headless'] }),
      fillWithData(here),
    ]);
    owner = await openConsole(browser, here);
    at = async (page) => {
      await owner.open(pathOf(PAGES[page], data.ids) ?? '');
      await untilSettled(owner.page);
    };
  }, CASE_MS);
  afterAll(async () => {
    await browser?.close();
    await data?.stop();
  });

  test('a code signs in once, and leaves the address', async () => {
    const path = await signInPath(here);
    await owner.open(path);
    await owner.untilTitled('Overview');
    expect(new URL(owner.page.url()).pathname + new URL(owner.page.url()).hash).toBe('/console/');
    const other = await openConsole(browser, here);
    other.expectRefusal('/console/sign-in/code');
    await other.open(path);
    await other.untilText('This code was used already');
    expect(other.complaints).toEqual([]);
    await other.page.context().close();
  });

  test(
    'every page is shown at its address, without a violation, in both themes, and fits a phone',
    async () => {
      owner.expectRefusal('/export_security');
      for (const name of Object.keys(PAGES) as (keyof typeof PAGES)[]) {
        await at(name);
        expect({ [name]: await faultsOf(owner.page) }).toEqual({ [name]: [] });
      }
      expect(await owner.page.title()).toBe('Settings · Parley console');
    },
    CASE_MS,
  );

  test(
    'an operator creates an application, a key and an access token, whose secrets are shown once',
    async () => {
      await at('applications');
      await owner.press('New application');
      await owner.fill('Name', 'Looms');
      await owner.press('Create', '[role=dialog]');
      await owner.untilTitled('Providers and keys');
      await owner.press('New provider');
      await owner.fill('Name', 'Login service');
      await owner.press('Create', '[role=dialog]');
      await owner.press('New key');
      await owner.press('Create', '[role=dialog]');
      expect(await secretOf(owner)).toContain('BEGIN PRIVATE KEY');
      await owner.page.getByRole('link', { name: 'Access tokens' }).click();
      await owner.press('New access token');
      await owner.fill('Name', 'Billing');
      await owner.press('Create', '[role=dialog]');
      const authorization = `Bearer ${await secretOf(owner)}`;
      const [, appUuid = ''] = /apps\/([^/]+)/.exec(owner.page.url()) ?? [];
      const users = `${here.baseUrl}/apps/${appUuid}/conversations`;
      await call('GET', users, 200, { headers: { authorization } });
      await owner.press('Revoke');
      await owner.press('Revoke', '[role=dialog]');
      await owner.untilText('There is no access token yet');
      await until('the token is refused', async () => {
        const answer = await fetch(users, {
          headers: { authorization, accept: 'application/vnd.svc+json; version=3.0' },
        });
        return answer.status === 401 || undefined;
      });
      await owner.page.getByRole('link', { name: 'Settings' }).click();
      await owner.press('Delete');
      expect(await owner.page.locator('[role=dialog] [type=submit]').isDisabled()).toBe(true);
      await owner.fill('Type “Looms” to confirm', 'Looms');
      await owner.press('Delete', '[role=dialog]');
      await owner.untilTitled('Applications');
      await owner.fill('Filter by name', 'Looms');
      await owner.untilText('Nothing matches the filter');
      expect(new URL(owner.page.url()).search).toBe('?q=Looms');
    },
    CASE_MS,
  );

  test(
    'the validator names the rule that a token breaks',
    async () => {
      await at('validator');
      await owner.fill('Identity token', await data.app.identityToken('ada'));
      await owner.press('Check');
      await owner.untilText('The token keeps every rule.');
      await owner.fill('Identity token', await data.app.identityToken('ada', { header: { cty: 'none' } }));
      await owner.press('Check');
      await owner.untilText('eit_header_param_wrong_value');
    },
    CASE_MS,
  );

  test(
    'a user is suspended and resumed',
    async () => {
      await at('user');
      for (const name of ['Suspend', 'Resume']) {
        await owner.press(name);
        await owner.press(name, '[role=dialog]');
        await owner.page.locator('[role=dialog]').waitFor({ state: 'detached' });
      }
      await owner.page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
    },
    CASE_MS,
  );

  test(
    'bodies of messages are texts; a message is sent as a participant, and deleted',
    async () => {
      await at('conversation');
      await owner.untilText(MARKUP);
      await owner.fill('Sender', 'grace');
      await owner.fill('Text', 'Sent from the console');
      await owner.press('Send');
      const sent = owner.page.getByRole('article').filter({ hasText: 'Sent from the console' });
      await sent.getByText('grace: read').waitFor();
      await sent.getByText('ada: sent').waitFor();
      await sent.getByRole('button', { name: 'Delete' }).click();
      await owner.press('Delete', '[role=dialog]');
      await sent.waitFor({ state: 'detached' });
      expect(await owner.page.title()).not.toBe('run');
    },
    CASE_MS,
  );

  test(
    'a webhook is verified while one looks, shows its deliveries, and is replayed',
    async () => {
      const receiver = await startReceiver();
      await at('webhooks');
      await owner.press('Register a webhook');
      await owner.fill('Target', receiver.url);
      await owner.press('Register', '[role=dialog]');
      await owner.untilTitled('Webhook');
      await owner.page.locator('.tag', { hasText: 'active' }).waitFor();
      await owner.press('Rotate the secret');
      await owner.press('Rotate', '[role=dialog]');
      expect(await secretOf(owner)).not.toBe('');
      await owner.press('Edit');
      await owner.page.locator('[role=dialog]').getByLabel('Events').first().click();
      await owner.page.getByRole('option', { name: 'Receipt.created' }).click();
      await owner.page.keyboard.press('Tab');
      await owner.press('Save', '[role=dialog]');
      await owner.untilText('Message.created, Receipt.created');
      await owner.press('Send a test event');
      await owner.press('Send', '[role=dialog]');
      await owner.untilText('"test": true');
      await owner.page.getByRole('link', { name: 'All deliveries' }).click();
      const body = { sender_id: 'ada', parts: [{ mime_type: 'text/plain', body: 'To the webhook' }] };
      await data.app.server('POST', `/conversations/${data.ids['conversation']}/messages`, 201, { body });
      const deliveries = owner.page.getByRole('link', { name: 'Message.created' });
      await until(
        'the message is a second delivery',
        async () => (await deliveries.count()) === 2 || undefined,
      );
      await deliveries.first().click();
      await owner.untilTitled('Delivery of Message.created');
      await owner.page.locator('.tag', { hasText: 'delivered' }).waitFor();
      await owner.press('Replay');
      await owner.press('Replay', '[role=dialog]');
      await until(
        'the deliveries and the repeat came',
        () => receiver.received.length > 2 || undefined,
        30_000,
      );
      await receiver.stop();
    },
    CASE_MS,
  );

  test(
    'an announcement reaches all users; an export is encrypted with a key of this browser, and downloaded',
    async () => {
      await at('announcements');
      await owner.fill('Sender', 'ada');
      await owner.fill('Text', 'Version 2 is out.');
      await owner.press('Send');
      await owner.untilText('The platform has accepted the announcement for 32 recipients.');
      await at('exports');
      await owner.press('Register a key');
      await owner.press('Register', '[role=dialog]');
      expect(await secretOf(owner)).toContain('BEGIN PRIVATE KEY');
      await owner.press('Request an export');
      await owner.press('Request an export', '[role=dialog]');
      await owner.press('Download');
      const link = owner.page.getByRole('link', { name: /^Download/ });
      const archive = await fetch((await link.getAttribute('href')) ?? '');
      expect((await archive.arrayBuffer()).byteLength).toBeGreaterThan(0);
    },
    CASE_MS,
  );

  test(
    'a failure shows the ids of the error and of the request',
    async () => {
      owner.expectRefusal('SendTestPush');
      await at('push');
      await owner.fill('User id', 'ada');
      await owner.fill('Device id', 'none');
      await owner.press('Send');
      const note = owner.page.getByRole('alert');
      await note.getByRole('link', { name: 'not_found' }).waitFor();
      await note.getByRole('button', { name: 'Copy the request id' }).waitFor();
    },
    CASE_MS,
  );

  test(
    'in the playground a user sends requests, and packets of a socket are decoded',
    async () => {
      await at('playground');
      await owner.press('Log in');
      await owner.press('hello');
      await owner.untilText('keep_alive_in_seconds');
      await owner.press('Send');
      await owner.page.getByLabel('Body of the answer').waitFor();
      await owner.press('Send the packet');
      await owner.press('response Counter.read');
      await owner.untilText('"success": true');
    },
    CASE_MS,
  );

  test(
    'in the playground a server sends requests',
    async () => {
      await at('playground');
      await owner.page.getByText('As a server').click();
      await owner.press('Send');
      await owner.page.getByLabel('Body of the answer').getByText('"title": "Engines"').waitFor();
      expect(new URL(owner.page.url()).searchParams.get('as')).toBe('server');
    },
    CASE_MS,
  );

  test(
    'what was done is in the audit log, and signing out ends the session',
    async () => {
      await at('audit-of-application');
      await owner.fill('Filter by action', 'user.suspended');
      await owner.untilText('user.suspended');
      await at('account');
      await owner.press('Sign out');
      await owner.page.getByRole('heading', { name: 'Parley console' }).waitFor();
      await owner.open('/console/apps');
      await owner.page.getByLabel('One-time code').waitFor();
      expect(owner.complaints).toEqual([]);
    },
    CASE_MS,
  );
});

/** The secret that a dialog shows, which is closed. */
async function secretOf({ page, press }: ConsoleWindow): Promise<string> {
  const secret = (await page.locator('.secret').textContent()) ?? '';
  await press('I have stored it');
  await page.locator('.secret').waitFor({ state: 'detached' });
  return secret;
}
