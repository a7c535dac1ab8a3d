import { describeWith } from '@parley/testing';
import type { Page } from 'playwright-core';
import type { TestPages } from '../../../client/test/browser/pages.ts';
import { violationsOf } from '../../../../test/support/site/inspect.ts';
import { axeSource } from '../../../../test/support/site/pages.ts';
import { until } from '../../../../test/support/until.ts';
import type * as writing from './pages/writing.tsx';
import { call, openWriting, requested, startWritingPages } from './writing-page.ts';

const MINUTE_MS = 60_000;

describeWith('chromium', 'what a user may do in a conversation', () => {
  let pages: TestPages;

  beforeAll(async () => {
    pages = await startWritingPages();
  }, 60_000);
  afterAll(() => pages?.close());

  const open = (options?: writing.Start): Promise<Page> => openWriting(pages, options);
  const chip = (page: Page, key: string) => page.locator('.parley-reactions button', { hasText: key });

  test('a reaction shows its count and who reacted; a press gives it, and the next one takes it back', async () => {
    const page = await open();
    const thumb = chip(page, '👍');
    expect(await thumb.getAttribute('aria-label')).toBe('👍: Grace Hopper and 3 others');
    await thumb.click();
    await page.waitForSelector('.parley-reactions [aria-pressed=true]:has-text("5")');
    expect(await thumb.getAttribute('aria-label')).toBe('👍: You, Grace Hopper, and 3 others');
    await thumb.click();
    await page.waitForSelector('.parley-reactions [aria-pressed=false]:has-text("4")');
    const uuid = '01990000-0000-7000-8000-000000000003';
    await until('both were sent', async () =>
      (await requested(page, '/reactions/')).length === 2 ? true : undefined,
    );
    expect(await requested(page, '/reactions/')).toEqual([
      `PUT /messages/${uuid}/reactions/👍`,
      `DELETE /messages/${uuid}/reactions/👍`,
    ]);
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('a reaction that the platform refuses is undone, and the list says why until it is closed', async () => {
    const page = await open({ refused: ['PUT /messages/'] });
    await chip(page, '👍').click();
    const problem = page.getByRole('alert').filter({ hasText: 'The platform refuses it.' });
    await problem.waitFor();
    await page.waitForSelector('.parley-reactions [aria-pressed=false]:has-text("4")');
    await problem.getByRole('button', { name: 'Close' }).click();
    await problem.waitFor({ state: 'detached' });
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('by keyboard alone a message gets a reaction, from the menu or the picker, and focus comes back', async () => {
    const page = await open();
    await page.locator('.parley-messages [role=feed]').focus();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Enter');
    await page.locator('.parley-react-menu .parley-quick').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.parley-react-menu').waitFor({ state: 'detached' });
    await page.locator('.parley-row', { hasText: 'Message 3' }).and(page.locator(':focus')).waitFor();
    await page.waitForSelector('.parley-reactions [aria-pressed=true]');

    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'More', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox', { name: 'Search emoji' }).fill('rocket');
    await page.getByRole('button', { name: 'rocket' }).click();
    await chip(page, '🚀').waitFor();
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('the menu names who reacted, closes at Escape and at a click beside it, and axe finds nothing', async () => {
    const page = await open();
    await page.evaluate(axeSource());
    const row = page.locator('.parley-row', { hasText: 'Message 3' });
    const menu = page.locator('.parley-react-menu');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await row.hover();
      await row.getByRole('button', { name: 'React' }).click();
      await menu.getByRole('listitem').filter({ hasText: 'Grace Hopper' }).first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      if (colorScheme === 'light') await page.keyboard.press('Escape');
      else await page.mouse.click(5, 5);
      await menu.waitFor({ state: 'detached' });
    }
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('who reacted is asked for again after a failure', async () => {
    const page = await open({ refused: ['GET /messages/'] });
    const row = page.locator('.parley-row', { hasText: 'Message 3' });
    await row.hover();
    await row.getByRole('button', { name: 'React' }).click();
    const menu = page.locator('.parley-react-menu');
    await menu.getByRole('alert').filter({ hasText: 'The platform refuses it.' }).waitFor();
    await call(page, 'refuse');
    await menu.getByRole('button', { name: 'Try again' }).click();
    await menu.getByRole('listitem').filter({ hasText: 'Grace Hopper' }).first().waitFor();
    await menu.getByRole('alert').waitFor({ state: 'detached' });
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test.each([
    ['en', 'You are muted until'],
    ['de', 'stummgeschaltet'],
    ['fr', 'Vous ne pouvez pas écrire avant'],
    ['es', 'Estás silenciado hasta'],
    ['ar', 'تم كتمك حتى'],
    ['ja', 'まで発言が制限されています'],
  ] as const)(
    'who is muted is told until when and why, in the language %s, and may react no more',
    async (language, said) => {
      const page = await open({ language });
      await call(page, 'mute', MINUTE_MS, '<b>Spam</b>');
      const note = page.locator('.parley-former', { hasText: said });
      await note.waitFor();
      expect(await note.textContent()).toContain('<b>Spam</b>');
      expect(await page.locator('textarea').count()).toBe(0);
      expect(await chip(page, '👍').isDisabled()).toBe(true);
      expect(pages.complaints).toEqual([]);
    },
    60_000,
  );

  test('a mute that ends by the clock gives the field back with its text, and reactions', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'Message' }).fill('Half a thought');
    await call(page, 'mute', 6_000);
    await page.locator('.parley-former').waitFor();
    await page.locator('.parley-reactions button:disabled').first().waitFor();
    await page.locator('.parley-former').waitFor({ state: 'detached' });
    await page.locator('.parley-reactions button:enabled').first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Half a thought');
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('a mute in the whole application that was lifted ends at the next connection', async () => {
    const restriction = { type: 'mute', until: null, reason: null, scope: 'app' };
    const page = await open({ conversation: { restriction } });
    await page.locator('.parley-former', { hasText: 'You are muted.' }).waitFor();
    await until('it was read', async () =>
      (await requested(page, 'GET /conversations/')).some((one) => one.endsWith('c1')) ? true : undefined,
    );
    await call(page, 'liftSilently');
    await call(page, 'reconnect');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('an observer, and everybody in a frozen conversation, is told that they only read', async () => {
    const observer = await open({ role: 'observer' });
    await observer.locator('.parley-former', { hasText: 'You can read this conversation' }).waitFor();
    const member = await open();
    const value = { at: '2026-11-27T12:00:00.000Z', by: null };
    await call(member, 'patch', { operation: 'set', property: 'frozen', value });
    await member.locator('.parley-former', { hasText: 'This conversation is frozen' }).waitFor();
    await call(member, 'patch', { operation: 'delete', property: 'frozen' });
    await member.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('the types are read once for each connection, once more for one that is missing, and not after a failure', async () => {
    const readsOf = async (page: Page) => (await requested(page, 'GET /types')).length;
    const untilReads = (page: Page, count: number) =>
      until(`${count} reads`, async () => (await readsOf(page)) === count || undefined);
    const page = await open({ conversation: { type: 'room' } });
    await untilReads(page, 2);
    await call(page, 'reconnect');
    await untilReads(page, 3);
    const failing = await open({ refused: ['GET /types'] });
    await failing.getByRole('button', { name: 'Details' }).click();
    await failing.locator('.parley-details').waitFor();
    await untilReads(failing, 1);
    await call(failing, 'reconnect');
    await untilReads(failing, 2);
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('in slow mode a message waits until the countdown has ended, and moderators do not wait', async () => {
    const page = await open();
    const slow = (target: Page) =>
      call(target, 'patch', { operation: 'set', property: 'slow_mode_in_seconds', value: 20 });
    await slow(page);
    await page.getByText('Slow mode: one message every 20 seconds.').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('The first one');
    await page.keyboard.press('Enter');
    await page.getByRole('timer').filter({ hasText: 'You can write again in' }).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('The second one');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('The second one');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    const moderator = await open({ role: 'moderator' });
    await slow(moderator);
    await moderator.getByRole('textbox', { name: 'Message' }).fill('At once');
    await until('it may be sent', async () =>
      (await moderator.getByRole('button', { name: 'Send' }).isEnabled()) ? true : undefined,
    );
    expect(await moderator.getByText('Slow mode').count()).toBe(0);
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('in slow mode a device whose clock is behind waits for the interval alone', async () => {
    const page = await open({ aheadMs: 5 * MINUTE_MS, conversation: { slow_mode_in_seconds: 8 } });
    await page.getByRole('textbox', { name: 'Message' }).fill('The first one');
    await page.keyboard.press('Enter');
    await page.getByRole('timer').filter({ hasText: 'You can write again in' }).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('The second one');
    await until('it may be sent', async () =>
      (await page.getByRole('button', { name: 'Send' }).isEnabled()) ? true : undefined,
    );
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('a moderator mutes, freezes and slows down in the details; a member sees none of it', async () => {
    const page = await open({ role: 'moderator' });
    await page.evaluate(axeSource());
    await page.getByRole('button', { name: 'Details' }).click();
    const details = page.locator('.parley-details');
    await details.getByRole('checkbox', { name: 'Freeze' }).waitFor();
    await details.getByRole('combobox', { name: 'Slow mode' }).waitFor();
    await details.locator('li', { hasText: 'Grace' }).locator('summary').click();
    await details.getByRole('button', { name: 'Mute or ban Grace Hopper' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await details.getByRole('button', { name: 'Mute or ban Grace Hopper' }).click();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Off topic');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until('it was asked for', async () =>
      (await requested(page, '/restrictions/grace')).length === 1 ? true : undefined,
    );
    const member = await open();
    await member.getByRole('button', { name: 'Details' }).click();
    await member.locator('.parley-details li', { hasText: 'Grace' }).locator('summary').click();
    await member.getByRole('button', { name: 'Block Grace Hopper' }).waitFor();
    expect(await member.getByText('Moderation').count()).toBe(0);
    expect(await member.getByRole('button', { name: 'Mute or ban' }).count()).toBe(0);
    expect(pages.complaints).toEqual([]);
  }, 60_000);
});
