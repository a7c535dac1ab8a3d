import { describeWith, findChromium } from '@parley/testing';
import { chromium, type Browser } from 'playwright-core';
import type { Platform } from '../../support/app.ts';
import {
  buildConsole,
  openConsole,
  signInPath,
  untilSettled,
  type ConsoleWindow,
} from '../../support/console/console.ts';
import { fillWithData, type ConsoleData } from '../../support/console/data.ts';
import { PAGES, pathOf } from '../../support/console/pages.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

const CASE_MS = 300_000;
const PATCH = { 'content-type': 'application/vnd.svc-patch+json' };

describeWith('chromium', 'types, roles and restrictions in the console', () => {
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
    await owner.open(await signInPath(here));
    await owner.untilTitled('Overview');
    at = async (page) => {
      await owner.open(pathOf(PAGES[page], data.ids) ?? '');
      await untilSettled(owner.page);
    };
  }, CASE_MS);
  afterAll(async () => {
    await browser?.close();
    await data?.stop();
  });

  test(
    'a type is created, changed and deleted, and one that a conversation has is refused',
    async () => {
      await at('types');
      await owner.press('New type');
      await owner.fill('Name', 'lobby');
      await owner.press('Create', '[role=dialog]');
      await owner.untilTitled('Type lobby');
      await owner.page.getByRole('checkbox', { name: 'send by member' }).uncheck();
      await owner.page.getByRole('checkbox', { name: 'reactions', exact: true }).uncheck();
      await owner.fill('Slow mode, in seconds', '99999');
      await owner.untilText('A whole number from 0 to 21,600.');
      expect(await owner.page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await owner.fill('Slow mode, in seconds', '30');
      await owner.press('Save');
      const lobby = async () => {
        const { body } = await data.app.server('GET', '/types', 200);
        return (body as { name: string }[]).find(({ name }) => name === 'lobby');
      };
      await until('it is saved', async () => {
        const { slow_mode_in_seconds: seconds } = (await lobby()) as never;
        return seconds === 30 || undefined;
      });
      expect(await lobby()).toMatchObject({
        actions: { send: ['owner', 'moderator'], react: ['owner', 'moderator', 'member'] },
        features: { reactions: false, typing: true },
      });
      await owner.press('Delete');
      await owner.fill('Type “lobby” to confirm', 'lobby');
      await owner.press('Delete', '[role=dialog]');
      await owner.untilTitled('Conversation types');
      expect(await lobby()).toBeUndefined();
      owner.expectRefusal('/types/room');
      await at('type');
      await owner.press('Delete');
      await owner.fill('Type “room” to confirm', 'room');
      await owner.press('Delete', '[role=dialog]');
      await owner.page.getByRole('alert').getByRole('link', { name: 'invalid_operation' }).waitFor();
    },
    CASE_MS,
  );

  test(
    'a type that was changed meanwhile is not overwritten, and what was edited stays in the form',
    async () => {
      await at('type');
      const box = owner.page.getByRole('checkbox', { name: 'pin by member' });
      await box.uncheck();
      const rules = { creator_role: 'owner', slow_mode_in_seconds: 15 };
      await data.app.server('PUT', '/types/room', 200, { body: rules });
      await owner.press('Save');
      await owner.page.getByRole('alert').filter({ hasText: 'The type was changed meanwhile.' }).waitFor();
      expect(await box.isChecked()).toBe(false);
      const { body } = await data.app.server('GET', '/types', 200);
      expect(body.find(({ name }: { name: string }) => name === 'room')).toMatchObject(rules);
    },
    CASE_MS,
  );

  test(
    'a conversation is frozen and slowed down, a participant gets a role and a mute, and the mute is lifted',
    async () => {
      await at('conversation');
      const path = `/conversations/${data.ids['conversation']}`;
      const untilIs = (part: object) =>
        until('the conversation is so', async () => {
          const { body } = await data.app.server('GET', path, 200);
          return Object.entries(part).every(([key, value]) => body[key] === value) || undefined;
        });
      for (const [label, isFrozen] of [
        ['Freeze', true],
        ['Unfreeze', false],
      ] as const) {
        await owner.press(label);
        await owner.press(label, '[role=dialog]');
        await owner.page
          .locator('.tag', { hasText: 'frozen' })
          .waitFor({ state: isFrozen ? 'visible' : 'detached' });
      }
      await owner.fill('Slow mode in seconds; 0: as the type says', '45');
      await owner.press('Save');
      await untilIs({ slow_mode_in_seconds: 45 });
      await owner.press('Give a role');
      await owner.fill('Participant', 'grace');
      await owner.press('Give', '[role=dialog]');
      await owner.untilText(': moderator');
      await until('grace is a moderator', async () => {
        const { body } = await data.app.server('GET', path, 200);
        return Object.values(body.roles ?? {}).includes('moderator') || undefined;
      });
      await owner.press('Mute or ban');
      await owner.fill('User id', 'grace');
      await owner.fill('Reason', '<b>Off topic</b>');
      await owner.press('Mute', '[role=dialog]');
      const row = owner.page.getByRole('row').filter({ hasText: '<b>Off topic</b>' });
      await row.getByText('mute').waitFor();
      await row.getByRole('button', { name: 'Lift' }).click();
      await owner.press('Lift', '[role=dialog]');
      await owner.untilText('Nobody is restricted');
    },
    CASE_MS,
  );

  test(
    'what another person changes is shown in the conversation, but turns no dialog that is open',
    async () => {
      await at('conversation');
      const path = `/conversations/${data.ids['conversation']}`;
      await owner.press('Freeze');
      const dialog = owner.page.getByRole('dialog', { name: 'Freeze the conversation?' });
      await dialog.waitFor();
      const steps = [
        { operation: 'set', property: 'frozen', value: true },
        { operation: 'set', property: 'slow_mode_in_seconds', value: 60 },
      ];
      await data.app.server('PATCH', path, 204, { body: steps, headers: PATCH });
      await until('the page has read it', async () => {
        await owner.page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
        return (await owner.page.locator('.tag', { hasText: 'frozen' }).count()) > 0 || undefined;
      });
      await dialog.getByRole('button', { name: 'Freeze', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await data.app.server('GET', path, 200)).body).toHaveProperty('frozen');
      const field = owner.page.getByLabel('Slow mode in seconds');
      expect(await field.inputValue()).toBe('60 s');
    },
    CASE_MS,
  );

  test(
    'a user is muted in the whole application with a reason, and the mute is lifted; both dialogs speak of shadow restrictions',
    async () => {
      await at('user');
      const section = owner.page.getByRole('region', { name: 'Restriction' });
      await section.getByRole('button', { name: 'Mute' }).click();
      const dialog = owner.page.getByRole('dialog');
      await dialog.getByText('It replaces the restriction of the user').waitFor();
      await owner.fill('Reason', 'Spam');
      await owner.press('Mute', '[role=dialog]');
      await section.getByText('Spam').waitFor();
      await section.getByRole('button', { name: 'Lift' }).click();
      await dialog.getByText('A shadow restriction, which is not shown here, ends as well').waitFor();
      await owner.press('Lift', '[role=dialog]');
      await section.getByText('No conversation of the user shows one.').waitFor();
    },
    CASE_MS,
  );

  test('no script has failed, and the console of the browser has no error', () => {
    expect(owner.complaints).toEqual([]);
  });
});
