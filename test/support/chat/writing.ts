import type { Page } from 'playwright-core';
import { until } from '../until.ts';
import type { ChatPage } from './chat-page.ts';

/** The windows of two users, each with the other one's conversation open. */
export type Given = { readonly ada: ChatPage; readonly grace: ChatPage };

/** Tests of a `describe` block: what is written, and where. `given` is called once they run. */
export function testWriting(given: () => Given): void {
  test('the address names the open conversation, and the browser goes back and forth', () =>
    namesConversation(given()));
  test('what was begun in a conversation is there again after another one, and a reload', () =>
    keepsDrafts(given()));
  test('a text of any length is sent whole, and counted', () => sendsLongTexts(given()));
  test('who is written to keeps their name', () => keepsNames(given()));
  test('participants and metadata are shown and changed', () => changesDetails(given()));
}

/** Resolves when the conversation with this title is open. */
export function untilOpen({ page }: ChatPage, title: string): Promise<void> {
  return page
    .locator('.parley-conversation')
    .getByRole('heading', { level: 2, name: title, exact: true })
    .waitFor();
}

function openedIn(page: Page): string {
  return new URL(page.url()).hash;
}

async function namesConversation({ grace }: Given): Promise<void> {
  const { page } = grace;
  const withAda = openedIn(page);
  expect(withAda).toMatch(/^#grace=[\w-]{36}$/);
  await page.locator('.parley-entry', { hasText: 'Moon landing' }).click();
  await untilOpen(grace, 'Moon landing');
  expect(openedIn(page)).not.toBe(withAda);
  await page.reload();
  await untilOpen(grace, 'Moon landing');
  await page.goBack();
  await untilOpen(grace, 'Ada');
  expect(openedIn(page)).toBe(withAda);
}

async function keepsDrafts({ grace: { page } }: Given): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' });
  const entries = page.locator('.parley-entry');
  const withDraft = entries.filter({ hasText: 'Draft: Half a thought' });
  await field.fill('Half a thought');
  await entries.filter({ hasText: 'Moon landing' }).click();
  await withDraft.waitFor();
  await page.reload();
  await withDraft.click();
  await until('it is there', async () => (await field.inputValue()) === 'Half a thought' || undefined);
  await field.fill('');
}

const WORDS = 900;

async function sendsLongTexts({ ada, grace }: Given): Promise<void> {
  const long = Array.from({ length: WORDS }, (_, index) => `word${index}`).join(' ');
  await ada.page.getByRole('textbox', { name: 'Message' }).fill(long);
  await ada.page.getByText(`${long.length.toLocaleString('en')} characters`).waitFor();
  await ada.press('Send');
  await grace.page.locator('.parley-text', { hasText: 'word0 word1' }).waitFor();
  await grace.press('Show all');
  await grace.page.locator('.parley-text', { hasText: long }).waitFor();
}

async function keepsNames({ ada }: Given): Promise<void> {
  await ada.writeTo('katherine');
  await untilOpen(ada, 'Katherine Johnson');
  await ada.page.goBack();
  await untilOpen(ada, 'Grace');
}

async function changesDetails({ grace: { page, press } }: Given): Promise<void> {
  const entries = page.locator('.parley-entry');
  await entries.filter({ hasText: 'Eve, Mira' }).click();
  await press('Details');
  const details = page.locator('.parley-details');
  const menu = (name: string) => details.locator('li', { hasText: name }).locator('.parley-menu');
  const add = async (user: string): Promise<void> => {
    await details.getByRole('combobox', { name: 'User name' }).fill(user);
    await details.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await add('zoe');
  await menu('Zoe').waitFor();
  await menu('Mira').locator('summary').click();
  await details.getByRole('button', { name: 'Remove Mira' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Mira' }).click();
  await menu('Mira').waitFor({ state: 'detached' });
  await details.getByRole('textbox', { name: 'Title' }).fill('Lunch');
  await press('Save');
  await entries.filter({ hasText: 'Lunch' }).waitFor();
  await add('ada');
  await menu('Ada').waitFor();
}
