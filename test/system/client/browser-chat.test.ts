import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform, type Platform } from '@parley/stack/platform';
import { describeWith, findChromium, freePort } from '@parley/testing';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { startPushServiceOfBrowsers, type PushServiceOfBrowsers } from '../../support/chat/browser-pushes.ts';
import { openChat, type ChatPage } from '../../support/chat/chat-page.ts';
import { listenForComplaints, type Complaints } from '../../support/chat/complaints.ts';
import { testNotifications } from '../../support/chat/notifications.ts';
import { testRules } from '../../support/chat/rules.ts';
import { testWriting, untilOpen } from '../../support/chat/writing.ts';
import { violationsOf } from '../../support/site/inspect.ts';
import { axeSource } from '../../support/site/pages.ts';
import { until } from '../../support/until.ts';

const BUILD = path.resolve(import.meta.dirname, '../../../scripts/chat.ts');
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

describeWith('chromium', 'the chat of the demonstration', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-chat-'));
  let running: Platform;
  let browser: Browser;
  let address: string;
  let pushes: PushServiceOfBrowsers;
  const complaints: Complaints[] = [];

  beforeAll(async () => {
    spawnSync(process.execPath, [BUILD], { stdio: 'inherit' });
    pushes = await startPushServiceOfBrowsers();
    const { env } = pushes;
    const [started, opened] = await Promise.all([
      freePort().then((port) => startPlatform({ dataDir, port, durable: false, env })),
      chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--headless'] }),
    ]);
    running = started;
    browser = opened;
    address = `${running.state.demo?.login_url}/demo`;
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await running?.discard();
    await pushes?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function openContext(): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: DESK, colorScheme: 'light' });
    complaints.push(listenForComplaints(context, running.baseUrl));
    return context;
  }

  test('a first visit shows messages, receipts, an image and what was written without a network', async () => {
    const page = await (await openContext()).newPage();
    await page.goto(address);
    for (const step of [1, 2, 3]) {
      await page.getByText(`${step} of 4`).waitFor();
      await clickFirst(page, 'Next');
    }
    await page.getByText('4 of 4').waitFor();
    for (const user of ['ada', 'grace']) {
      const pane = page.locator(`.pane[data-user=${user}]`);
      await pane.locator('.parley-message', { hasText: 'I wrote this without a network.' }).waitFor();
      await until('the image is shown', () => pane.locator('.parley-picture img').evaluate(isLoaded));
    }
    await page
      .locator('.pane[data-user=ada] .parley-typing', { hasText: 'Grace' })
      .waitFor({ state: 'hidden' });
    await page.locator('.missed', { hasText: '1 message came while you were away.' }).waitFor();
    await until('all is read', async () => (await unread(page)) === 0 || undefined);
    await clickFirst(page, 'Done');
    await page.getByText('4 of 4').waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('axe finds no violation, in the light and in the dark, on a desk and on a phone', async () => {
    const page = await (await openContext()).newPage();
    await page.goto(address);
    for (const user of ['ada', 'grace'])
      await page.locator(`.pane[data-user=${user}] .parley-message`).first().waitFor();
    await page.evaluate(axeSource());
    for (const button of ['Under the hood', 'Details']) await clickFirst(page, button);
    await page.locator('.packets summary', { hasText: 'hello' }).first().click();
    for (const viewport of [DESK, PHONE])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        expect([colorScheme, viewport.width, await violationsOf(page)]).toEqual([
          colorScheme,
          viewport.width,
          [],
        ]);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width).toBe(viewport.width);
      }
    await page.context().close();
  });

  describe('with a window for each user', () => {
    let ada: ChatPage;
    let grace: ChatPage;

    beforeAll(async () => {
      [ada, grace] = (await Promise.all(
        ['ada', 'grace'].map(async (user) => openChat(await openContext(), address, user)),
      )) as [ChatPage, ChatPage];
    });

    test('a message is written by keyboard alone, with the writer shown as typing', async () => {
      await ada.page.locator('body').press('Tab');
      const field = ada.page.getByRole('textbox', { name: 'Message' });
      await until('the field has the focus', async () => {
        if (await field.evaluate(hasFocus)) return true;
        await ada.page.keyboard.press('Tab');
        return undefined;
      });
      await ada.page.keyboard.type('By keyboard');
      await grace.page.locator('.parley-typing', { hasText: 'Ada is typing' }).waitFor();
      await ada.page.keyboard.press('Enter');
      await grace.untilSeen('By keyboard');
      await ada.marked('read', 'By keyboard').waitFor();
    });

    test('what both write while the gateway and messaging are killed arrives once, in one order', async () => {
      for (const one of complaints) one.expectKills();
      const said: string[] = [];
      for (let round = 1; round <= 6; round++) {
        if (round === 2) await ada.press('Kill the gateway');
        if (round === 4) await grace.press('Kill messaging');
        for (const [user, chat] of Object.entries({ ada, grace })) {
          const text = `${user} ${round} among kills`;
          said.push(text);
          await chat.say(text);
        }
      }
      for (const chat of [ada, grace])
        await until(
          'all have arrived',
          async () =>
            ((await among(chat)).length === said.length && (await chat.marked('sending').count()) === 0) ||
            undefined,
          40_000,
        );
      expect(await among(ada)).toEqual(await among(grace));
      expect((await among(ada)).toSorted()).toEqual(said.toSorted());
    }, 60_000);

    test('ten messages that are written offline wait, and arrive in their order', async () => {
      await ada.page.getByRole('switch', { name: 'Offline' }).click();
      await ada.page.locator('.pane[data-status=offline]').waitFor();
      const said = Array.from({ length: 10 }, (_, index) => `offline ${index + 1}`);
      for (const text of said) await ada.say(text);
      await until('all wait', async () => (await ada.marked('sending').count()) === 10 || undefined);
      await grace.say('Where are you?');
      await grace.marked('sent', 'Where are you?').waitFor();
      await ada.page.getByRole('switch', { name: 'Offline' }).click();
      await ada.page.locator('.missed', { hasText: '1 message came while you were away.' }).waitFor();
      await grace.untilSeen('offline 10');
      expect((await grace.texts()).filter((text) => text.startsWith('offline'))).toEqual(said);
    });

    test('an upload goes on after a reload, and the file arrives whole and once, with a second window open', async () => {
      const file = randomBytes(6_000_000);
      const network = await ada.page.context().newCDPSession(ada.page);
      const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_500_000 };
      await network.send('Network.enable');
      await network.send('Network.emulateNetworkConditions', slow);
      const files = { name: 'plan.bin', mimeType: 'application/octet-stream', buffer: file };
      await ada.page.locator('input[type=file]').setInputFiles(files);
      const progress = ada.page.getByRole('progressbar', { name: 'plan.bin' });
      await until('a part has arrived', async () => (await progress.evaluate(valueOf)) > 0 || undefined);
      await ada.page.reload();
      await progress.waitFor();
      const second = await openChat(ada.page.context(), address, 'ada');
      await second.page.getByRole('progressbar', { name: 'plan.bin' }).waitFor();
      await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
      await ada.press('Send');
      const link = grace.page.getByRole('link', { name: 'plan.bin' });
      await until(
        'the link has its address',
        async () => (await link.getAttribute('href')) ?? undefined,
        30_000,
      );
      const answer = await fetch((await link.getAttribute('href')) ?? '');
      expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
      await ada.page.getByRole('link', { name: 'plan.bin' }).waitFor();
      for (const { page } of [ada, second])
        await page.locator('.parley-staged li').waitFor({ state: 'detached' });
      await ada.say('That was the plan.');
      await grace.untilSeen('That was the plan.');
      await ada.marked('read', 'That was the plan.').waitFor();
      expect(await grace.page.getByRole('link', { name: 'plan.bin' }).count()).toBe(1);
      await second.page.close();
    }, 60_000);

    test('older messages are read as their place comes in sight', async () => {
      await grace.page.reload();
      await grace.untilSeen('That was the plan.');
      for (let count = 1; count <= OLDER; count++) await ada.say(`${count} to scroll over`);
      await grace.untilSeen(`${OLDER} to scroll over`);
      await grace.page.reload();
      await grace.untilSeen(`${OLDER} to scroll over`);
      expect(await grace.texts()).not.toContain('Hello, Grace!');
      await until('the first message is shown', async () => {
        await grace.page.locator('.parley-messages .parley-scroller').press('Home');
        return (await grace.texts()).includes('Hello, Grace!') || undefined;
      });
      await grace.page.locator('.parley-day').first().waitFor();
      await grace.page.getByRole('button', { name: 'Jump to the newest message' }).click();
      await grace.untilSeen(`${OLDER} to scroll over`);
    });

    test('a message counts as delivered and unread until its conversation is opened', async () => {
      await grace.writeTo('eve', 'mira');
      const entries = grace.page.locator('.parley-entry');
      await entries.filter({ hasText: 'Eve, Mira' }).and(grace.page.locator('[aria-current]')).waitFor();
      await ada.say('Where have you gone?');
      await ada.marked('delivered', 'Where have you gone?').waitFor();
      await entries.filter({ hasText: 'Where have you gone?' }).filter({ hasText: '1 unread' }).click();
      await ada.marked('read', 'Where have you gone?').waitFor();
      const left = entries.filter({ hasText: 'Where have you gone?' }).filter({ hasText: '1 unread' });
      await until('it is read', async () => (await left.count()) === 0 || undefined);
    });

    testWriting(() => ({ ada, grace }));

    test('a message of another conversation does not open it', async () => {
      await grace.say('Join us');
      const entry = ada.page.locator('.parley-entry', { hasText: 'Lunch' });
      await entry.filter({ hasText: 'Join us' }).filter({ hasText: '1 unread' }).waitFor();
      await untilOpen(ada, 'Grace');
    });

    test('the windows of a user share the packets and the switch', async () => {
      const second = await openChat(ada.page.context(), address, 'ada');
      await second.page.getByRole('switch', { name: 'Offline' }).click();
      for (const { page } of [ada, second]) await page.locator('.pane[data-status=offline]').waitFor();
      await second.page.getByRole('switch', { name: 'Offline' }).click();
      for (const { page } of [ada, second]) await page.locator('.pane[data-status=online]').waitFor();
      // The end of the replay: it may have brought so many packets that the first ones are not shown any more.
      await second.page.locator('.packets summary', { hasText: 'response Event.replay' }).first().waitFor();
      await second.page.close();
    });

    test('a scheduled message and an announcement come from the backend', async () => {
      await ada.press('Under the hood');
      await ada.page.getByRole('textbox', { name: 'Announcement' }).fill('Version 2 is out.');
      await ada.press('Announce');
      const news = grace.page.locator('.news', { hasText: 'Version 2 is out.' });
      await news.getByRole('button', { name: 'OK' }).click();
      await news.waitFor({ state: 'detached' });
      await grace.page.locator('.parley-entry', { hasNotText: 'Lunch' }).first().click();
      await untilOpen(grace, 'Ada');
      await ada.page.getByRole('textbox', { name: 'Message' }).fill('Five seconds later');
      await ada.press('Later');
      await grace.untilSeen('Five seconds later');
    });
    testRules(() => ({ ada, grace }));
  });

  describe('with notifications', () => {
    testNotifications(() => ({ openContext, address, web: pushes.web }));
  });

  test('no script fails, nothing is asked of another host, and the console has no error', () => {
    expect(complaints.length).toBeGreaterThan(3);
    expect(complaints.flatMap(({ found }) => found)).toEqual([]);
  });
});

/** Messages that the list has not read at first. */
const OLDER = 25;

async function among(chat: ChatPage): Promise<string[]> {
  return (await chat.texts()).filter((text) => text.endsWith('among kills'));
}

function clickFirst(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).first().click();
}

async function unread(page: Page): Promise<number> {
  return page.locator('.parley-receipt:not([data-receipt=read])').count();
}

// These run in the page.
function isLoaded(image: object): true | undefined {
  return 'naturalWidth' in image && Number(image.naturalWidth) > 0 ? true : undefined;
}

function valueOf(element: object): number {
  return 'value' in element ? Number(element.value) : 0;
}

function hasFocus(element: { ownerDocument: { activeElement: unknown } | null }): boolean {
  return element.ownerDocument?.activeElement === element;
}
