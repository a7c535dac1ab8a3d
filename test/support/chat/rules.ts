import { until } from '../until.ts';
import type { ChatPage } from './chat-page.ts';
import { untilOpen, type Given } from './writing.ts';

const GROUP = 'Moon landing';

/** Tests of a `describe` block: what users may do in a conversation that one of them owns. `given` is called once they run. */
export function testRules(given: () => Given): void {
  test('a reaction appears in the other window with who gave it, and is taken back', () => reacts(given()));
  test('a user is found by the beginning of their name, who shares no conversation', () => finds(given()));
  test('the owner freezes and slows down the conversation, and the other window says so', () =>
    freezes(given()));
  test('who is muted reads until when and why, and writes again when it is lifted', () => mutes(given()));
}

async function openGroup(chat: ChatPage): Promise<void> {
  await chat.page.locator('.parley-entry', { hasText: GROUP }).click();
  await untilOpen(chat, GROUP);
}

async function reacts({ ada, grace }: Given): Promise<void> {
  await ada.say('Who brings the cake?');
  const seen = (chat: ChatPage) => chat.page.locator('.parley-row', { hasText: 'Who brings the cake?' });
  await seen(grace).hover();
  await seen(grace).getByRole('button', { name: 'React' }).click();
  await grace.page.locator('.parley-quick').getByRole('button', { name: '😂' }).click();
  const chip = seen(ada).locator('.parley-reactions button');
  await chip.filter({ hasText: '😂' }).filter({ hasText: '1' }).waitFor();
  expect(await chip.getAttribute('aria-label')).toBe('😂: Grace');
  await chip.click();
  await seen(grace).locator('.parley-reactions button', { hasText: '2' }).waitFor();
  await seen(grace).locator('.parley-reactions button').click();
  await chip.and(ada.page.locator('[aria-label="😂: You"]')).waitFor();
  await chip.click();
  for (const chat of [ada, grace])
    await seen(chat).locator('.parley-reactions').waitFor({ state: 'detached' });
}

async function finds({ ada }: Given): Promise<void> {
  await ada.press('New conversation');
  const dialog = ada.page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'User name' }).fill('clar');
  await dialog.getByRole('option', { name: 'Joan Clarke' }).click();
  await dialog.locator('.parley-chosen', { hasText: 'Joan Clarke' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
}

async function freezes({ ada, grace }: Given): Promise<void> {
  for (const chat of [ada, grace]) await openGroup(chat);
  await ada.press('Details');
  const details = ada.page.locator('.parley-details');
  await details.getByRole('combobox', { name: 'Role of Grace' }).waitFor();
  const field = grace.page.getByRole('textbox', { name: 'Message' });
  await details.getByRole('checkbox', { name: 'Freeze' }).check();
  await grace.page.locator('.parley-former', { hasText: 'This conversation is frozen' }).waitFor();
  await details.getByRole('checkbox', { name: 'Freeze' }).uncheck();
  await field.waitFor();
  const slow = details.getByRole('combobox', { name: 'Slow mode' });
  await slow.selectOption({ label: '30 seconds' });
  await grace.page.getByText('Slow mode: one message every 30 seconds.').waitFor();
  await grace.say('Only one');
  await grace.page.getByRole('timer').filter({ hasText: 'You can write again in' }).waitFor();
  await slow.selectOption({ label: 'Off' });
  await grace.page.getByRole('timer').waitFor({ state: 'detached' });
}

async function mutes({ ada, grace }: Given): Promise<void> {
  const details = ada.page.locator('.parley-details');
  const person = details.locator('li', { has: ada.page.getByRole('combobox', { name: 'Role of Grace' }) });
  await person.locator('summary').click();
  await person.getByRole('button', { name: 'Mute or ban Grace' }).click();
  const dialog = ada.page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Count down first');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const note = grace.page.locator('.parley-former', { hasText: 'You are muted until' });
  await note.filter({ hasText: 'Count down first' }).waitFor();
  await details.getByRole('button', { name: 'Lift the restriction of Grace' }).click();
  await grace.page.getByRole('textbox', { name: 'Message' }).waitFor();
  await until('nobody is restricted', async () =>
    (await details.getByText('Count down first').count()) === 0 ? true : undefined,
  );
}
