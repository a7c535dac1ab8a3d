import type { BrowserContext, Locator, Page } from 'playwright-core';

/** The demonstration's chat in a browser, used as a person does. */
export type ChatPage = {
  readonly page: Page;
  /** Writes and sends a text. */
  say(text: string): Promise<void>;
  /** The texts of the messages that are shown, the oldest first. */
  texts(): Promise<string[]>;
  /** Resolves when a message with this text is shown. */
  untilSeen(text: string): Promise<void>;
  /** Messages of the user's own, with this text, that have this mark: `sending`, `sent`, `delivered`, `read`. */
  marked(mark: string, text?: string): Locator;
  press(button: string): Promise<void>;
  /** Begins a conversation with users, whom the backend adds if they are new. */
  writeTo(...users: string[]): Promise<void>;
};

/** Opens the chat of one user in a window of its own, with the drawer open. */
export async function openChat(context: BrowserContext, address: string, user: string): Promise<ChatPage> {
  const page = await context.newPage();
  await page.goto(`${address}?user=${user}`);
  await page.waitForSelector('[data-status=online]');
  const press = (button: string): Promise<void> =>
    page.getByRole('button', { name: button, exact: true }).click();
  await press('Under the hood');
  const messages = page.locator('.parley-message');
  // The whole text: the one of a message is followed by its time, so that "1" and "09:30" would contain "10".
  const withText = (text: string): Locator => messages.filter({ has: page.getByText(text, { exact: true }) });
  return {
    page,
    async say(text) {
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      await page.keyboard.press('Enter');
    },
    texts: () => page.locator('.parley-text').allTextContents(),
    untilSeen: (text) => withText(text).first().waitFor(),
    marked: (mark, text) =>
      (text === undefined ? messages : withText(text)).filter({
        has: page.locator(`.parley-receipt[data-receipt=${mark}]`),
      }),
    press,
    async writeTo(...users) {
      await press('New conversation');
      const dialog = page.getByRole('dialog');
      for (const [index, one] of users.entries()) {
        await dialog.getByRole('combobox', { name: 'User name' }).fill(one);
        await dialog.getByRole('button', { name: 'Add', exact: true }).click();
        await dialog.locator('.parley-chosen li').nth(index).waitFor();
      }
      await dialog.getByRole('button', { name: 'Start' }).click();
      await dialog.waitFor({ state: 'detached' });
    },
  };
}
