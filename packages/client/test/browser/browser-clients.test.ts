import path from 'node:path';
import { describeWith } from '@parley/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../../../test/support/app.ts';
import { platform } from '../../../../test/support/platform.ts';
import { until } from '../../../../test/support/until.ts';
import { startPages, type TestPages } from './pages.ts';
import type * as client from './pages/client.ts';

const MODULE = path.join(import.meta.dirname, 'pages/client.ts');
/** The format of a later version of the library, which cannot read what this one stores. */
const LATER_FORMAT = 1_000;

type ClientWindow = Window & { parley: typeof client };

describeWith('chromium', 'clients in the tabs of a browser', () => {
  let app: TestApp;
  let grace: TestUser;
  let pages: TestPages;
  let context: BrowserContext;
  let userId: string;
  let tests = 0;

  beforeAll(async () => {
    pages = await startPages({ module: MODULE }, { module: MODULE, format: LATER_FORMAT });
    app = await createApp(await platform(), 'tabs');
    grace = await app.login('grace');
  }, 60_000);
  beforeEach(async () => {
    userId = `ada-${++tests}`;
    await app.login(userId);
    context = await pages.context();
    await context.exposeFunction('identityToken', (id: string, nonce: string) =>
      app.identityToken(id, { nonce }),
    );
  });
  afterEach(() => context.close());
  afterAll(() => pages?.close());

  /** A tab with a client that is in step. */
  async function open({ retryMs, ...options }: { isLater?: boolean; retryMs?: number } = {}): Promise<Page> {
    const page = await pages.open(context, options);
    const login = { url: app.baseUrl, appId: app.appId, userId, ...(retryMs && { retryMs }) };
    await page.evaluate((given) => (window as unknown as ClientWindow).parley.start(given), login);
    await untilStatus(page, 'online');
    return page;
  }

  async function untilStatus(page: Page, wanted: string): Promise<void> {
    const isReached = () => call(page, 'status').then((status) => status === wanted || undefined);
    await until(`the client is ${wanted}`, isReached);
  }

  type Calls = Pick<typeof client, 'status' | 'sockets' | 'cut' | 'say' | 'create' | 'send' | 'shown'>;
  function call<N extends keyof Calls>(
    page: Page,
    name: N,
    ...args: Parameters<Calls[N]>
  ): Promise<Awaited<ReturnType<Calls[N]>>> {
    return page.evaluate(
      ([method, given]) => {
        const { parley } = window as unknown as ClientWindow;
        return (parley[method] as (...all: readonly unknown[]) => unknown)(...given);
      },
      [name, args] as const,
    ) as Promise<Awaited<ReturnType<Calls[N]>>>;
  }

  async function untilShown(page: Page, id: string, ...texts: string[]): Promise<void> {
    const wanted = texts.map((text) => `${text} (sent)`);
    let found: string[] = [];
    const isShown = async () => {
      found = await call(page, 'shown', id);
      return JSON.stringify(found) === JSON.stringify(wanted) || undefined;
    };
    await until('the tab shows the messages', isShown).catch(() => expect(found).toEqual(wanted));
  }

  /** Reads the messages of the platform, the oldest first. */
  async function stored(id: string): Promise<string[]> {
    const { body } = await grace.call('GET', `/conversations/${uuidOf(id)}/messages`, 200);
    return (body as { parts: { body: string }[] }[]).map(({ parts }) => parts[0]?.body ?? '').reverse();
  }

  async function conversationFrom(page: Page, text: string): Promise<string> {
    const id = await call(page, 'create', 'grace');
    await call(page, 'send', id, text);
    await untilShown(page, id, text);
    return id;
  }

  test('share a socket; one whose process stands still is replaced, and is in step when it runs again', async () => {
    const leader = await open();
    const follower = await open();
    expect([await call(leader, 'sockets'), await call(follower, 'sockets')]).toEqual([1, 0]);
    const id = await conversationFrom(follower, 'by the follower');
    await untilShown(leader, id, 'by the follower');

    const pid = await pages.stop(leader);
    const body = { parts: [textPart('meanwhile')] };
    await grace.call('POST', `/conversations/${uuidOf(id)}/messages`, 201, { body });
    await untilShown(follower, id, 'by the follower', 'meanwhile');
    await call(follower, 'send', id, 'answered');
    await untilShown(follower, id, 'by the follower', 'meanwhile', 'answered');

    process.kill(pid, 'SIGCONT');
    await call(leader, 'send', id, 'awake');
    const all = ['by the follower', 'meanwhile', 'answered', 'awake'];
    for (const page of [leader, follower]) await untilShown(page, id, ...all);
    expect(await stored(id)).toEqual(all);
    expect(pages.complaints).toEqual([]);
  }, 60_000);

  test('what one kept before its process was killed is sent by another one, once', async () => {
    const leader = await open();
    const follower = await open();
    const id = await conversationFrom(leader, 'before');
    await untilShown(follower, id, 'before');
    // Its requests do not arrive any more.
    await leader.route('**/messages', () => undefined);
    await call(leader, 'send', id, 'kept');
    await until('the other tab shows it', async () => {
      const shown = await call(follower, 'shown', id);
      return shown.at(-1) === 'kept (sending)' || undefined;
    });
    const pid = await pages.processOf(leader);
    process.kill(pid, 'SIGKILL');
    await untilShown(follower, id, 'before', 'kept');
    expect(await stored(id)).toEqual(['before', 'kept']);
    expect(await call(follower, 'sockets')).toBe(1);
  }, 60_000);

  test('connect at once when the network is back or the page is looked at, however long they would wait', async () => {
    const page = await open({ retryMs: 600_000 });
    for (const event of ['online', 'visibilitychange'] as const) {
      await call(page, 'cut');
      await untilStatus(page, 'offline');
      await call(page, 'say', event);
      await untilStatus(page, 'online');
    }
    expect(await call(page, 'sockets')).toBe(3);
  }, 60_000);

  test('of two versions of the library do not wait for each other', async () => {
    const one = await open();
    const later = await open({ isLater: true });
    expect([await call(one, 'sockets'), await call(later, 'sockets')]).toEqual([1, 1]);
    const id = await conversationFrom(one, 'by one');
    await untilShown(later, id, 'by one');
    await call(later, 'send', id, 'by the later');
    for (const page of [one, later]) await untilShown(page, id, 'by one', 'by the later');
    await one.reload();
    await later.close();
    expect(await stored(id)).toEqual(['by one', 'by the later']);
    expect(pages.complaints).toEqual([]);
  }, 60_000);
});
