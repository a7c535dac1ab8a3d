import { describeWith } from '@parley/testing';
import type { Page } from 'playwright-core';
import type { TestPages } from '../../../client/test/browser/pages.ts';
import { until } from '../../../../test/support/until.ts';
import type * as writing from './pages/writing.tsx';
import { call, openDetails, openWriting, requested, startWritingPages } from './writing-page.ts';

const GROUP = { distinct: false };

describeWith('chromium', 'what a moderator does in the details', () => {
  let pages: TestPages;

  beforeAll(async () => {
    pages = await startWritingPages();
  }, 60_000);
  afterAll(() => pages?.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  const open = (options?: writing.Start): Promise<Page> => openWriting(pages, options);
  const untilRequested = (page: Page, text: string) =>
    until(`${text} was requested`, async () => (await requested(page, text)).length > 0 || undefined);

  test('an owner has no choice of their own role, and gives others one only by the button', async () => {
    const page = await open({ role: 'owner' });
    const details = await openDetails(page);
    const role = details.getByRole('combobox', { name: 'Role of Grace Hopper' });
    await role.focus();
    await page.keyboard.press('ArrowDown');
    await details.getByRole('button', { name: 'Save: Role of Grace Hopper' }).waitFor();
    expect(await requested(page, 'PATCH')).toEqual([]);
    await details.getByRole('button', { name: 'Save: Role of Grace Hopper' }).click();
    await untilRequested(page, 'PATCH');
    expect(await details.getByRole('combobox', { name: 'Role of Ada' }).count()).toBe(0);
    await details.locator('li', { hasText: 'Ada Lovelace' }).getByText('Owner').waitFor();
  }, 60_000);

  test('a user who leaves, or removes another one, is asked before', async () => {
    const page = await open({ role: 'owner', conversation: GROUP });
    const details = await openDetails(page);
    const dialog = page.getByRole('dialog');
    await details.locator('li', { hasText: 'Grace' }).locator('summary').click();
    for (const name of ['Remove Grace Hopper', 'Leave the conversation']) {
      await details.getByRole('button', { name }).click();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    expect(await requested(page, 'PATCH')).toEqual([]);
    await details.getByRole('button', { name: 'Leave the conversation' }).click();
    await dialog.getByRole('button', { name: 'Leave the conversation' }).click();
    await untilRequested(page, 'PATCH');
  }, 60_000);

  test('a mute that the platform refuses keeps its dialog, which says why', async () => {
    const page = await open({ role: 'moderator', refused: ['/restrictions/grace'] });
    const details = await openDetails(page);
    await details.locator('li', { hasText: 'Grace' }).locator('summary').click();
    await details.getByRole('button', { name: 'Mute or ban Grace Hopper' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Off topic');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'The platform refuses it.' }).waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Off topic');
    await call(page, 'refuse');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  }, 60_000);

  test('a change that the platform refuses is undone, and the details say why', async () => {
    const page = await open({ role: 'moderator', refused: ['PATCH'] });
    const details = await openDetails(page);
    const freeze = details.getByRole('checkbox', { name: 'Freeze' });
    await freeze.click();
    await details.getByRole('alert').filter({ hasText: 'The platform refuses it.' }).waitFor();
    expect(await freeze.isChecked()).toBe(false);
    await call(page, 'refuse');
    await freeze.click();
    await details.getByRole('alert').waitFor({ state: 'detached' });
  }, 60_000);

  test('a change of which no packet comes within 20 seconds is shown no longer', async () => {
    const page = await open({ role: 'moderator' });
    await page.clock.install();
    const details = await openDetails(page);
    const freeze = details.getByRole('checkbox', { name: 'Freeze' });
    await freeze.check();
    await untilRequested(page, 'PATCH');
    expect(await freeze.isChecked()).toBe(true);
    await page.clock.fastForward(21_000);
    await until('it is as the platform has it', async () => !(await freeze.isChecked()) || undefined);
  }, 60_000);

  test('restrictions that cannot be read are a problem, and are read at the next connection', async () => {
    const page = await open({ role: 'moderator', graceMutedMs: 60_000, refused: ['/restrictions'] });
    const details = await openDetails(page);
    await details.getByRole('alert').filter({ hasText: 'The platform refuses it.' }).waitFor();
    await call(page, 'refuse');
    await call(page, 'reconnect');
    await details.getByRole('button', { name: 'Lift the restriction of Grace Hopper' }).waitFor();
    await details.getByRole('alert').waitFor({ state: 'detached' });
  }, 60_000);

  test('a restriction that ends by the clock leaves the list', async () => {
    const page = await open({ role: 'moderator', graceMutedMs: 600_000 });
    await page.clock.install();
    const details = await openDetails(page);
    const lift = details.getByRole('button', { name: 'Lift the restriction of Grace Hopper' });
    await lift.waitFor();
    await page.clock.fastForward(601_000);
    await lift.waitFor({ state: 'detached' });
  }, 60_000);

  test('without slow mode of its own a conversation has that of its type, which the choice says', async () => {
    const page = await open({ role: 'moderator', rules: { slow_mode_in_seconds: 30 } });
    const details = await openDetails(page);
    const chosen = details.getByRole('combobox', { name: 'Slow mode' }).locator('option:checked');
    await chosen.filter({ hasText: 'Default: 30 seconds' }).waitFor({ state: 'attached' });
  }, 60_000);
});
