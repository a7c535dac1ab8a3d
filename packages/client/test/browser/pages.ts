import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { findChromium } from '@parley/testing';
import { build, type Plugin } from 'esbuild';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const ARGS = [
  ...['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** A browser, and a server of its page, which has the exports of one module as `window.parley`. */
export type TestPages = {
  /** The tabs of a context share what they store. */
  context(): Promise<BrowserContext>;
  /** `isLater`: with the second of the sources. */
  open(context: BrowserContext, options?: { isLater?: boolean }): Promise<Page>;
  /** The id of the process that runs a page. */
  processOf(page: Page): Promise<number>;
  /** Stops the process that runs a page, and answers its id. */
  stop(page: Page): Promise<number>;
  /** Complaints of the pages. */
  complaints: string[];
  close(): Promise<void>;
};

/**
 * Contents of the page: a module, other packages in place of some, and the format of the store in place of the library's, as of
 * another version of it.
 */
export type PageSource = { module: string; alias?: Record<string, string>; format?: number };

/** `later`: another source of the same page. */
export async function startPages(source: PageSource, later = source): Promise<TestPages> {
  const scripts = new Map([
    ['/page.js', await bundle(source)],
    ['/later.js', later === source ? '' : await bundle(later)],
  ]);
  const server = createServer(({ url = '' }, response) => {
    const script = scripts.get(url);
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    const name = url === '/later' ? 'later' : 'page';
    response.end(script ?? `<!doctype html><title>loading</title><script src="/${name}.js"></script>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser: Browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ARGS });
  const complaints: string[] = [];
  return {
    complaints,
    context: () => browser.newContext(),
    async open(context, { isLater = false } = {}) {
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${isLater ? 'later' : ''}`);
      return page;
    },
    processOf: (page) => findProcess(browser, page),
    stop: (page) => stopProcess(browser, page),
    async close() {
      await browser.close();
      server.close();
    },
  };
}

type TraceEvent = { name: string; args: { data?: { frames?: { url: string; processId: number }[] } } };

/**
 * A trace of a page begins with the processes of its frames. No other way tells for certain: a process that has just begun may have more to
 * do than that of a page which is kept busy.
 */
async function findProcess(browser: Browser, page: Page): Promise<number> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
  const trace = (await browser.stopTracing()).toString();
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const begun = traceEvents.find(({ name }) => name === 'TracingStartedInBrowser');
  const frame = begun?.args.data?.frames?.find(({ url }) => url === page.url());
  if (!frame) throw new Error(`the trace names no process of ${page.url()}`);
  return frame.processId;
}

/** Long enough for the signal to arrive meanwhile, and over when the process goes on. */
const BUSY_MS = 2_000;

/**
 * A browser lets a page stand still between two tasks, a signal anywhere, such as before the commit of a transaction that a task has just
 * begun. So it is sent while the page is in a task that does nothing.
 */
async function stopProcess(browser: Browser, page: Page): Promise<number> {
  const id = await findProcess(browser, page);
  const begun = page.waitForEvent('console', (message) => message.text() === 'busy');
  const busy = page.evaluate((ms) => {
    console.log('busy');
    const end = performance.now() + ms;
    while (performance.now() < end);
  }, BUSY_MS);
  busy.catch(() => undefined);
  await begun;
  process.kill(id, 'SIGSTOP');
  return id;
}

async function bundle({ module, alias = {}, format }: PageSource): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import * as parley from './${path.basename(module)}'; window.parley = parley;`,
      resolveDir: path.dirname(module),
      loader: 'ts',
    },
    ...{ bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2022' },
    ...{ alias, absWorkingDir: path.dirname(module) },
    plugins: format === undefined ? [] : [withFormat(format)],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}

function withFormat(format: number): Plugin {
  return {
    name: 'format',
    setup({ onLoad }) {
      onLoad({ filter: /store\/format\.ts$/ }, () => ({ contents: `export const FORMAT = ${format};` }));
    },
  };
}
