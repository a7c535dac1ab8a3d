import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describeWith, findChromium } from '@parley/testing';
import { build } from 'esbuild';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { until } from '../../../../test/support/until.ts';
import type * as push from './pages/push.ts';

const FOLDER = path.join(import.meta.dirname, 'pages');
const CONVERSATION = 'svc:///conversations/one';

type Exported = typeof push;

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: FOLDER, loader: 'ts' },
    ...{ bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2022' },
  });
  return outputFiles[0]?.text ?? '';
}

/** A page with a service worker, which shows pushes. */
async function servePages(): Promise<Server> {
  const scripts = new Map([
    ['/page.js', await bundle(`import * as push from './push.ts'; globalThis.push = push;`)],
    ['/worker.js', await bundle(`import { serve } from './push-worker.ts'; serve(self);`)],
  ]);
  const server = createServer(({ url = '' }, response) => {
    const script = scripts.get(url);
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    response.end(script ?? '<!doctype html><title>pushes</title><script src="/page.js"></script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describeWith('chromium', 'pushes to a browser', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let devtools: CDPSession;
  let origin: string;
  let delivered = 0;
  const registrations: { registrationId: string }[] = [];

  beforeAll(async () => {
    server = await servePages();
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] });
    const context = await browser.newContext();
    await context.grantPermissions(['notifications'], { origin });
    page = await context.newPage();
    devtools = await context.newCDPSession(page);
    devtools.on('ServiceWorker.workerRegistrationUpdated', (event) =>
      registrations.push(...event.registrations),
    );
    await devtools.send('ServiceWorker.enable');
    await page.goto(origin);
    await page.evaluate(() => (globalThis as unknown as { push: Exported }).push.start());
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function deliver(content: object | string): Promise<void> {
    const { registrationId } = await until('the worker is registered', () => registrations[0]);
    const data = typeof content === 'string' ? content : JSON.stringify(content);
    await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    const number = ++delivered;
    const countShown = () =>
      page.evaluate(() => (globalThis as unknown as { push: Exported }).push.countShown());
    // Chromium drops a notification that is not on the screen yet when a page asks for all of them.
    await until('the worker has shown it', async () => (await countShown()) === number || undefined);
  }

  const shown = () => page.evaluate(() => (globalThis as unknown as { push: Exported }).push.shown());

  function untilShown(...titles: string[]): Promise<push.Shown[]> {
    let found: string[] = [];
    return until(
      `${titles.join(', ')} are shown`,
      async () => {
        const all = await shown();
        found = all.map(({ title }) => title).toSorted();
        return found.join() === titles.toSorted().join() ? all : undefined;
      },
      15_000,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}, but ${found.join(', ')}`);
    });
  }

  test('a service worker shows one notification for each message, and the page closes those that are read', async () => {
    const message = { message_id: 'svc:///messages/1', conversation_id: CONVERSATION, badge: 1 };
    await deliver({ ...message, title: 'Ada', text: 'Lunch?' });
    const [first] = await untilShown('Ada');
    expect(first).toEqual({
      ...{ title: 'Ada', body: 'Lunch?', tag: 'svc:///messages/1', lang: 'en' },
      data: { ...message, title: 'Ada', text: 'Lunch?' },
    });
    // The same push again, as after a lost answer.
    await deliver({ ...message, title: 'Ada again', text: 'Lunch?' });
    await untilShown('Ada again');
    await deliver({ text: 'Without a title', data: { room: 7 } });
    await deliver('no JSON at all');
    const all = await untilShown('Ada again', 'A message', 'A message');
    expect(all.map(({ body, lang }) => `${body} ${lang}`).toSorted()).toEqual([
      ' en',
      'Lunch? en',
      'Without a title de',
    ]);
    const ofConversation = { tag: CONVERSATION, conversation_id: CONVERSATION };
    await deliver({ ...ofConversation, message_id: 'svc:///messages/2', title: 'Bob' });
    await deliver({ ...ofConversation, message_id: 'svc:///messages/3', title: 'Cem' });
    await untilShown('Ada again', 'A message', 'A message', 'Cem');
    await page.evaluate((id) => (globalThis as unknown as { push: Exported }).push.read(id), CONVERSATION);
    await untilShown('A message', 'A message');
  });
});
