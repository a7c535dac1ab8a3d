import type { WebPushService } from '@parley/testing/doubles/web-push-service';
import type { BrowserContext } from 'playwright-core';
import { until } from '../until.ts';
import { CLICK_FIRST, openDelivery, SHOWN_TITLES, subscribeAt } from './browser-pushes.ts';
import { openChat, type ChatPage } from './chat-page.ts';

/** The address of the chat, and the push service to which its browsers subscribe. */
export type Given = { openContext(): Promise<BrowserContext>; address: string; web: WebPushService };

/** Nora's browser may show notifications, Olaf's may not. They have no other window, which would read what comes. */
type Open = Given & {
  nora: ChatPage;
  olaf: ChatPage;
  deliver: Awaited<ReturnType<typeof openDelivery>>;
};

/** The scope of the worker of Nora's notifications. */
const SCOPE = '/demo/pushes?user=nora';

/** Tests of a `describe` block; `given` is called once they run. */
export function testNotifications(given: () => Given): void {
  let open: Open;
  beforeAll(async () => (open = await openBoth(given())));

  test('a browser that forbids them, and one without them, say so', () => saysWhyNot(open));
  test('a change that failed says why, and can be tried again', () => triesAgain(open));
  test('a message arrives as a notification, a click opens its conversation, and reading takes it away', () =>
    showsAndOpens(open));
  test('a conversation that is read takes its notifications away, and no others', () =>
    closesWhatIsRead(open));
  test('they stay on over a reload, and are switched off', () => switchesOff(open));
}

async function openBoth(given: Given): Promise<Open> {
  const { openContext, address, web } = given;
  const { origin } = new URL(address);
  const [own, forbidding] = [await openContext(), await openContext()];
  await own.grantPermissions(['notifications'], { origin });
  await forbidding.grantPermissions([], { origin });
  await subscribeAt(own, web);
  const nora = await openChat(own, address, 'nora');
  const olaf = await openChat(forbidding, address, 'olaf');
  return { ...given, nora, olaf, deliver: await openDelivery(nora.page) };
}

function bell({ page }: ChatPage) {
  return page.getByRole('switch', { name: 'Notifications' });
}

/** Opens the conversation of two, which may be new. */
async function writeTo(chat: ChatPage, name: string): Promise<void> {
  await chat.writeTo(name);
  await untilOpen(chat, name);
}

function untilOpen({ page }: ChatPage, name: string): Promise<void> {
  return page.locator('.parley-conversation').getByRole('heading', { level: 2, name }).waitFor();
}

function untilShown({ page }: ChatPage, ...expected: string[]): Promise<true> {
  return until(`${expected.join() || 'nothing'} is shown`, async () => {
    const shown = await page.evaluate<string[]>(SHOWN_TITLES);
    return shown.join() === expected.join() || undefined;
  });
}

async function saysWhyNot({ olaf, openContext, address }: Open): Promise<void> {
  await olaf.page.getByText('Notifications: blocked by the browser').waitFor();
  expect(await bell(olaf).isDisabled()).toBe(true);
  const context = await openContext();
  await context.addInitScript('delete Navigator.prototype.serviceWorker;');
  const without = await openChat(context, address, 'olaf');
  await without.page.getByText('Notifications: not available on this address').waitFor();
  await context.close();
}

async function triesAgain({ openContext, address, web }: Open): Promise<void> {
  const context = await openContext();
  await context.grantPermissions(['notifications'], { origin: new URL(address).origin });
  await subscribeAt(context, web);
  await context.addInitScript(`if (globalThis.ServiceWorkerContainer) {
    const { register } = ServiceWorkerContainer.prototype;
    ServiceWorkerContainer.prototype.register = function (...given) {
      return window.isReachable ? register.apply(this, given) : Promise.reject(new TypeError('The worker is away.'));
    };
  }`);
  const pia = await openChat(context, address, 'pia');
  await pia.page.getByText('The worker is away.').waitFor();
  await pia.page.evaluate('window.isReachable = true');
  await bell(pia).click();
  await pia.page.getByText('Notifications: on').waitFor();
  await context.close();
}

async function showsAndOpens({ nora, olaf, web, deliver }: Open): Promise<void> {
  await bell(nora).click();
  await nora.page.getByText('Notifications: on').waitFor();
  await writeTo(nora, 'Olaf');
  await writeTo(nora, 'Mallory');
  await olaf.page.locator('.parley-entry', { hasText: 'Nora' }).first().click();
  await olaf.say('Are you there?');
  const [push] = await web.wait(1);
  expect(push?.payload).toMatchObject({ title: 'Olaf', text: 'Are you there?' });
  expect(web.faults).toEqual([]);
  await deliver(SCOPE, push?.payload ?? {});
  await untilShown(nora, 'Olaf: Are you there?');
  await nora.page.context().serviceWorkers()[0]?.evaluate(CLICK_FIRST);
  await untilOpen(nora, 'Olaf');
  await nora.page.locator('.parley-badge').waitFor({ state: 'detached' });
  // The same push again, as after a lost answer: it is read by now.
  await deliver(SCOPE, push?.payload ?? {});
  await untilShown(nora);
}

async function closesWhatIsRead({ nora, olaf, web, deliver }: Open): Promise<void> {
  await nora.page.locator('.parley-entry', { hasText: 'Mallory' }).click();
  await olaf.say('Still there?');
  const push = (await web.wait(2))[1];
  await deliver(SCOPE, push?.payload ?? {});
  await deliver(SCOPE, { title: 'Zoe', text: 'Elsewhere' });
  await untilShown(nora, 'Olaf: Still there?', 'Zoe: Elsewhere');
  await nora.page.locator('.parley-entry', { hasText: 'Still there?' }).click();
  await untilShown(nora, 'Zoe: Elsewhere');
}

async function switchesOff({ nora, olaf, web }: Open): Promise<void> {
  await nora.page.reload();
  await nora.page.getByText('Notifications: on').waitFor();
  await bell(nora).click();
  await nora.page.getByText('Notifications: off').waitFor();
  await nora.page.locator('.parley-entry', { hasText: 'Mallory' }).click();
  await olaf.say('And now?');
  await nora.page.locator('.parley-entry', { hasText: 'And now?' }).waitFor();
  // Switched on again, it gets the next message, and not that one.
  await bell(nora).click();
  await nora.page.getByText('Notifications: on').waitFor();
  await olaf.say('Back?');
  const texts = (await web.wait(3)).map(({ payload }) => payload['text']);
  expect(texts).toEqual(['Are you there?', 'Still there?', 'Back?']);
}
