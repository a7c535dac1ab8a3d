import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { findChromium } from '@parley/stack/testing';
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
  /** The id of the process that runs a page, which is the one that has most to do while the page works. */
  processOf(page: Page, work: () => void): Promise<number>;
  /** What the pages complained about. */
  complaints: string[];
  close(): Promise<void>;
};

/**
 * What the page is made of: a module, other packages in place of some, and the format of the store in place of the library's, as of
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
    processOf: (page, work) => findProcess(browser, () => page.evaluate(work)),
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** `cpuTime`: seconds. */
type Renderer = { id: number; cpuTime: number };

/** By so many seconds of processor time a process has to be ahead of all others, some of which are still starting. */
const CLEAR_LEAD = 0.15;
const MAX_ROUNDS = 50;

async function findProcess(browser: Browser, work: () => Promise<void>): Promise<number> {
  const before = await renderers(browser);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await work();
    const after = await renderers(browser);
    const [first, second] = before
      .map(({ id, cpuTime }) => ({ id, spent: (after.find((one) => one.id === id)?.cpuTime ?? 0) - cpuTime }))
      .sort((one, other) => other.spent - one.spent);
    if (first && first.spent - (second?.spent ?? 0) > CLEAR_LEAD) return first.id;
  }
  throw new Error('no process of a page works more than the others');
}

async function renderers(browser: Browser): Promise<Renderer[]> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  await devtools.detach();
  return processInfo.filter(({ type }) => type === 'renderer');
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
